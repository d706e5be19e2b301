package marker

import (
	"fmt"
	"go/ast"
	"slices"
)

// attach gives every directive to the declarations on the line that it covers
// and reports those that cover none, or contradict each other.
func (f *File) attach(file *ast.File) {
	if len(f.Directives) == 0 {
		return
	}
	byLine := make(map[int][]*Directive)
	for _, d := range f.Directives {
		byLine[d.Covers] = append(byLine[d.Covers], d)
	}
	a := &attacher{file: f, byLine: byLine, taken: make(map[*Directive]bool), closed: make(map[int]bool)}
	f.attached = make(map[ast.Node][]*Directive)
	ast.Inspect(file, a.visit)
	f.reportUnattached(a.taken)
	f.reportConflicts(byLine)
}

// An attacher walks a file and hands out the directives by line.
type attacher struct {
	file   *File
	byLine map[int][]*Directive
	taken  map[*Directive]bool
	closed map[int]bool // lines whose directives went to a declaration that keeps them from what it holds
}

func (a *attacher) visit(node ast.Node) bool {
	final, isDeclaration := declaration(node)
	if !isDeclaration || !a.file.contains(node.Pos()) {
		return node != nil
	}
	line := physicalLine(a.file.file, node.Pos())
	directives := a.byLine[line]
	if len(directives) == 0 || a.closed[line] {
		return true
	}
	a.closed[line] = final
	a.file.attached[node] = directives
	for _, d := range directives {
		a.taken[d] = true
		a.checkParameters(d, node)
	}
	return true
}

// declaration reports whether a directive can belong to a node, and whether it
// then stays there. "var f = func() {…}" shares it with the function, while
// parameters and closures on the line of a function do not get the function's.
func declaration(node ast.Node) (final, isDeclaration bool) {
	switch node.(type) {
	case *ast.GenDecl, *ast.ValueSpec:
		return false, true
	case *ast.FuncDecl, *ast.FuncLit, *ast.Field, *ast.TypeSpec:
		return true, true
	}
	return false, false
}

// checkParameters reports a name that the function does not have.
func (a *attacher) checkParameters(d *Directive, node ast.Node) {
	function := functionType(node)
	if function == nil || d.Verb != Loop && d.Verb != Offloop {
		return
	}
	for _, name := range d.Args {
		if !hasParameter(function, name) {
			a.file.complain(d, fmt.Sprintf(`has no parameter %q to speak of; an explanation goes after " — "`, name))
		}
	}
}

func functionType(node ast.Node) *ast.FuncType {
	switch node := node.(type) {
	case *ast.FuncDecl:
		return node.Type
	case *ast.FuncLit:
		return node.Type
	case *ast.Field:
		function, _ := node.Type.(*ast.FuncType)
		return function
	case *ast.TypeSpec:
		function, _ := node.Type.(*ast.FuncType)
		return function
	}
	return nil
}

func hasParameter(function *ast.FuncType, name string) bool {
	for _, field := range function.Params.List {
		if slices.ContainsFunc(field.Names, func(id *ast.Ident) bool { return id.Name == name }) {
			return true
		}
	}
	return false
}

func (f *File) complain(d *Directive, complaint string) {
	f.Problems = append(f.Problems, Problem{
		Pos: d.Pos, End: d.End,
		Message: fmt.Sprintf("//%s:%s %s", tool, d.Verb, complaint),
	})
}

func (f *File) reportUnattached(taken map[*Directive]bool) {
	f.Directives = slices.DeleteFunc(f.Directives, func(d *Directive) bool {
		if !taken[d] {
			f.complain(d, "is attached to nothing: write it in the doc comment, on the line or on the line above a function, field or type")
		}
		return !taken[d]
	})
}

// reportConflicts compares the directives of each declaration.
func (f *File) reportConflicts(byLine map[int][]*Directive) {
	for _, directives := range byLine {
		for i, d := range directives {
			for _, earlier := range directives[:i] {
				if complaint := conflict(earlier, d); complaint != "" {
					f.complain(d, complaint)
					break
				}
			}
		}
	}
}

// conflict says why two directives cannot stand together, or returns "".
func conflict(a, b *Directive) string {
	switch {
	case a.Verb == b.Verb && (len(a.Args) == 0 || slices.Equal(a.Args, b.Args)):
		return "is a duplicate: the declaration has one already"
	case a.about() == 0 || b.about() == 0 || a.Verb == b.Verb:
		return ""
	case a.about()|b.about() == aboutWorker|aboutBlocking:
		return "" // a worker's loop does block whoever calls it
	}
	return fmt.Sprintf("contradicts //%s:%s on the same declaration: keep the one that is true", tool, a.Verb)
}

// What a directive says of the function itself, rather than of a parameter or
// of the processes it starts.
const (
	aboutLoop = 1 << iota
	aboutWorker
	aboutBlocking
	aboutNonblocking
)

func (d *Directive) about() int {
	switch {
	case d.Verb == Loop && len(d.Args) == 0:
		return aboutLoop
	case d.Verb == Worker:
		return aboutWorker
	case d.Verb == Blocking:
		return aboutBlocking
	case d.Verb == Nonblocking:
		return aboutNonblocking
	}
	return 0
}
