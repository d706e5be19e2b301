package detachedspawn

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// ownedPath is the import path of the runtime that the fix calls.
const ownedPath = "github.com/holdfast-go/holdfast/runtime/owned"

// A groupKill is the code that owned.Start replaces without a change of
// meaning: a local command that is given a process group of its own and
// nothing else, and is started and waited for in the same function.
//
//	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
//	…
//	if err := cmd.Start(); err != nil {
type groupKill struct {
	file    *ast.File
	cmd     types.Object
	assign  *ast.AssignStmt // the statement that gives the group
	start   *ast.CallExpr   // cmd.Start()
	started ast.Stmt        // the statement of the call
}

// fix returns the edit that starts the finding's command through owned.Start,
// or nil where that could change what the program does.
func (v *view) fix(f *finding) []analysis.SuggestedFix {
	if f.waits == "" || len(f.hops) > 0 {
		return nil
	}
	kill := v.groupKill(f)
	if kill == nil {
		return nil
	}
	edits := []analysis.TextEdit{
		{Pos: kill.assign.Pos(), End: v.nextLine(kill.assign.End())},
		{Pos: kill.start.Pos(), End: kill.start.End(), NewText: []byte("owned.Start(" + kill.cmd.Name() + ")")},
	}
	if blank, ok := blankResult(kill.started); ok {
		edits = append(edits, analysis.TextEdit{Pos: blank, End: blank, NewText: []byte("_, ")})
	}
	edits = append(edits, v.importEdits(kill.file)...)
	return []analysis.SuggestedFix{{Message: "Start the child with owned.Start", TextEdits: edits}}
}

// groupKill finds the pattern around a finding.
func (v *view) groupKill(f *finding) *groupKill {
	for _, file := range v.files {
		if file.FileStart > f.pos || f.pos >= file.FileEnd {
			continue
		}
		var found *groupKill
		ast.Inspect(file, func(n ast.Node) bool {
			if block, ok := n.(*ast.BlockStmt); ok && found == nil {
				found = v.groupKillIn(file, block, f)
			}
			return found == nil
		})
		return found
	}
	return nil
}

func (v *view) groupKillIn(file *ast.File, block *ast.BlockStmt, f *finding) *groupKill {
	at := slices.IndexFunc(block.List, func(s ast.Stmt) bool { return s.Pos() == f.statement })
	if at < 0 {
		return nil
	}
	assign, ok := block.List[at].(*ast.AssignStmt)
	if !ok || len(assign.Lhs) != 1 || !v.isBareGroup(assign.Rhs[0]) {
		return nil
	}
	attr, ok := assign.Lhs[0].(*ast.SelectorExpr)
	if !ok || attr.Sel.Name != "SysProcAttr" {
		return nil
	}
	id, ok := attr.X.(*ast.Ident)
	if !ok {
		return nil
	}
	kill := &groupKill{file: file, cmd: v.object(id), assign: assign}
	if _, isParameter := v.parameters[kill.cmd]; isParameter || v.values[kill.cmd] == nil {
		return nil
	}
	for _, stmt := range block.List[at+1:] {
		if call := v.startIn(stmt, kill.cmd); call != nil {
			kill.start, kill.started = call, stmt
			break
		}
	}
	if kill.start == nil || !v.usedPlainly(kill) {
		return nil
	}
	return kill
}

// isBareGroup reports whether an expression is &syscall.SysProcAttr{Setpgid: true}.
func (v *view) isBareGroup(expr ast.Expr) bool {
	address, ok := expr.(*ast.UnaryExpr)
	if !ok {
		return false
	}
	lit, ok := address.X.(*ast.CompositeLit)
	if !ok || len(lit.Elts) != 1 || !isType(v.info.TypeOf(lit), sysProcAttr) {
		return false
	}
	kv, ok := lit.Elts[0].(*ast.KeyValueExpr)
	return ok && lastIdent(kv.Key) != nil && lastIdent(kv.Key).Name == "Setpgid" && v.boolean(kv.Value) == always
}

// startIn returns the call cmd.Start() where its one result can become two:
// alone, assigned, or in the head of an if.
func (v *view) startIn(stmt ast.Stmt, cmd types.Object) *ast.CallExpr {
	var expr ast.Expr
	switch s := stmt.(type) {
	case *ast.ExprStmt:
		expr = s.X
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			expr = s.Rhs[0]
		}
	case *ast.IfStmt:
		if s.Init != nil {
			return v.startIn(s.Init, cmd)
		}
	}
	call, ok := expr.(*ast.CallExpr)
	if !ok {
		return nil
	}
	sel, ok := call.Fun.(*ast.SelectorExpr)
	if !ok || sel.Sel.Name != "Start" || lastIdent(sel.X) == nil || v.object(lastIdent(sel.X)) != cmd {
		return nil
	}
	return call
}

// plainUses are the parts of a command that mean the same however it was started.
var plainUses = []string{"Args", "Dir", "Env", "Path", "Start", "StderrPipe", "Stderr", "Stdin", "StdinPipe",
	"Stdout", "StdoutPipe", "String", "Wait", "WaitDelay"}

// usedPlainly reports whether the function does nothing with the command that
// depends on its process group's number, and does not hand it out.
func (v *view) usedPlainly(kill *groupKill) bool {
	plain := make(map[*ast.Ident]bool)
	ok := true
	ast.Inspect(kill.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.SelectorExpr:
			if id, isIdent := n.X.(*ast.Ident); isIdent && v.object(id) == kill.cmd {
				plain[id] = slices.Contains(plainUses, n.Sel.Name) || n == kill.assign.Lhs[0]
			}
		case *ast.Ident:
			if v.info.Uses[n] == kill.cmd && !plain[n] {
				ok = false
			}
		}
		return ok
	})
	return ok
}

// blankResult returns where "_, " makes room for owned.Start's first result.
func blankResult(stmt ast.Stmt) (token.Pos, bool) {
	switch s := stmt.(type) {
	case *ast.AssignStmt:
		return s.Pos(), true
	case *ast.IfStmt:
		return blankResult(s.Init)
	}
	return token.NoPos, false
}

// nextLine returns the start of the line after a position, so that deleting up
// to it leaves no empty line.
func (v *view) nextLine(pos token.Pos) token.Pos {
	file := v.fset.File(pos)
	line := file.Line(pos)
	if line >= file.LineCount() {
		return pos
	}
	return file.LineStart(line + 1)
}

// importEdits adds the runtime's import and drops syscall's where the fix
// removes its last use.
func (v *view) importEdits(file *ast.File) []analysis.TextEdit {
	var unused *ast.ImportSpec
	for _, spec := range file.Imports {
		switch path, _ := strconv.Unquote(spec.Path.Value); path {
		case ownedPath:
			return nil
		case "syscall":
			if spec.Name == nil && v.usesOf(file, path) == 1 {
				unused = spec
			}
		}
	}
	last := file.Imports[len(file.Imports)-1]
	added := "\n\t" + strconv.Quote(ownedPath)
	if !strings.Contains(strings.SplitN(last.Path.Value, "/", 2)[0], ".") {
		added = "\n" + added // a group of its own, after the standard library's
	}
	switch unused {
	case nil:
		return []analysis.TextEdit{{Pos: last.End(), End: last.End(), NewText: []byte(added)}}
	case last:
		return []analysis.TextEdit{{Pos: last.Pos(), End: last.End(), NewText: []byte(strings.TrimPrefix(added, "\n"))}}
	}
	return []analysis.TextEdit{
		{Pos: unused.Pos(), End: v.nextLine(unused.End())},
		{Pos: last.End(), End: last.End(), NewText: []byte(added)},
	}
}

// usesOf counts how often a file names a package.
func (v *view) usesOf(file *ast.File, path string) int {
	count := 0
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			if pkg, ok := v.info.Uses[id].(*types.PkgName); ok && pkg.Imported().Path() == path {
				count++
			}
		}
		return true
	})
	return count
}
