package realmodules

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

// A Package is what the files of a directory declare, for whatever platform.
type Package struct {
	names    map[string]bool     // functions, types and variables, and members as "Type.Member"
	embedded map[string][]string // types, by the type that embeds them or is made of them
	aliases  map[string]string   // types, by their other name
}

// Declares reports whether the package declares the symbol itself: a member
// counts as one of the type that has it, not of those that embed that type.
// The star stands for any member.
func (p *Package) Declares(name string) bool {
	if name == "*" || p.names[name] {
		return true
	}
	owner, member, isMember := strings.Cut(name, ".")
	if !isMember {
		return false
	}
	if member == "*" {
		return p.names[owner]
	}
	if other, ok := p.aliases[owner]; ok {
		return p.Declares(other + "." + member)
	}
	return false
}

// HasMember reports whether the type has the member, declared or embedded.
func (p *Package) HasMember(name string) bool {
	if p.Declares(name) {
		return true
	}
	owner, member, _ := strings.Cut(name, ".")
	for _, inner := range p.embedded[owner] {
		if inner != owner && p.HasMember(inner+"."+member) {
			return true
		}
	}
	return false
}

func read(t *testing.T, dir string) *Package {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	p := &Package{names: make(map[string]bool), embedded: make(map[string][]string), aliases: make(map[string]string)}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, decl := range file.Decls {
			p.add(decl)
		}
	}
	return p
}

func (p *Package) add(decl ast.Decl) {
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		p.names[functionName(decl)] = true
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				p.addType(spec)
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					p.names[name.Name] = true
				}
			}
		}
	}
}

func (p *Package) addType(spec *ast.TypeSpec) {
	owner := spec.Name.Name
	p.names[owner] = true
	if spec.Assign.IsValid() {
		p.aliases[owner] = typeName(spec.Type)
		return
	}
	var members *ast.FieldList
	switch body := spec.Type.(type) {
	case *ast.StructType:
		members = body.Fields
	case *ast.InterfaceType:
		members = body.Methods
	default:
		p.embedded[owner] = append(p.embedded[owner], typeName(body))
		return
	}
	for _, field := range members.List {
		for _, name := range field.Names {
			p.names[owner+"."+name.Name] = true
		}
		if len(field.Names) == 0 {
			p.embedded[owner] = append(p.embedded[owner], typeName(field.Type))
		}
	}
}

func functionName(decl *ast.FuncDecl) string {
	if decl.Recv == nil || len(decl.Recv.List) == 0 {
		return decl.Name.Name
	}
	return typeName(decl.Recv.List[0].Type) + "." + decl.Name.Name
}

// typeName returns the name of a type without its package, pointer and
// arguments.
func typeName(expr ast.Expr) string {
	switch expr := expr.(type) {
	case *ast.Ident:
		return expr.Name
	case *ast.StarExpr:
		return typeName(expr.X)
	case *ast.ParenExpr:
		return typeName(expr.X)
	case *ast.IndexExpr:
		return typeName(expr.X)
	case *ast.IndexListExpr:
		return typeName(expr.X)
	case *ast.SelectorExpr:
		return expr.Sel.Name
	}
	return ""
}
