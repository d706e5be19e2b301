package argv

import (
	"slices"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxSteps is how many statements of one script are followed. Functions that
// call each other could make the count grow without bound.
const maxSteps = 20_000

// A run follows a script in the order in which a shell runs it, through every
// branch once.
type run struct {
	shell  shell
	lang   string
	source string // of the file that is being followed
	depth  int
	steps  int

	functions map[string]*syntax.Stmt
	active    []string // functions that are being run
	found     Verdict  // the first thing that detaches
}

func (r *run) judge(file *syntax.File, source string) Verdict {
	p := &process{}
	r.file(file, source, p)
	r.exit(p)
	return r.found
}

// file follows the statements of a script in a process.
func (r *run) file(file *syntax.File, source string, p *process) {
	outer := r.source
	r.source = source
	for _, s := range file.Stmts {
		r.statement(s, p)
	}
	r.source = outer
}

// text follows a script that a builtin runs in the process: eval's, trap's.
func (r *run) text(source string, p *process) {
	if r.depth >= maxDepth {
		return
	}
	if file, ok := parse(source, r.shell.dialects); ok {
		r.depth++
		r.file(file, source, p)
		r.depth--
	}
}

// exit ends a process: its EXIT traps run, then its jobs are on their own.
func (r *run) exit(p *process) {
	for len(p.exit) > 0 {
		action := p.exit[0]
		p.exit = p.exit[1:]
		r.text(action, p)
	}
	if effect, ok := p.left(); ok {
		r.detach(Verdict{Program: r.name(), What: effect})
	}
}

// name is how a person names the script's shell.
func (r *run) name() string { return r.lang + " -c" }

// detach notes the first thing that detaches.
func (r *run) detach(v Verdict) {
	if !r.found.Detaches {
		v.Detaches = true
		r.found = v
	}
}

// subshell runs part of the script in a process of its own.
func (r *run) subshell(p *process, statements ...*syntax.Stmt) {
	for _, s := range statements {
		r.statement(s, p)
	}
	r.exit(p)
}

func (r *run) statement(s *syntax.Stmt, p *process) {
	r.steps--
	if s == nil || r.steps < 0 || r.found.Detaches {
		return
	}
	for _, redirect := range s.Redirs {
		r.inside(redirect, p)
	}
	r.standardInput(s)
	effect, background := r.background(s)
	if !background {
		r.foreground(s, p)
		return
	}
	r.subshell(&process{}, &syntax.Stmt{Cmd: s.Cmd})
	switch {
	case s.Disown:
		r.detach(Verdict{Program: r.name(), What: disownsJob})
	case !p.drained || redirectsOutput(s):
		p.start(effect)
	}
}

// background reports whether the statement is a job, and what the shell does.
func (r *run) background(s *syntax.Stmt) (effect string, ok bool) {
	if s.Background || s.Coprocess || s.Disown {
		return leavesJob, true
	}
	return leavesByParse, r.shell.posix && slices.ContainsFunc(s.Redirs, func(redirect *syntax.Redirect) bool {
		return redirect.Op == syntax.RdrAll || redirect.Op == syntax.AppAll
	})
}

// foreground runs the statement's command in the process.
func (r *run) foreground(s *syntax.Stmt, p *process) {
	if s.Cmd == nil {
		return
	}
	if p.drained && redirectsOutput(s) {
		p.drained = false
		defer func() { p.drained = true }()
	}
	r.inside(s.Cmd, p)
}

// redirectsOutput reports whether standard output goes elsewhere.
func redirectsOutput(s *syntax.Stmt) bool {
	return slices.ContainsFunc(s.Redirs, func(redirect *syntax.Redirect) bool {
		switch redirect.Op {
		case syntax.RdrOut, syntax.AppOut, syntax.RdrClob, syntax.DplOut:
			return redirect.N == nil || redirect.N.Value == "1"
		case syntax.RdrAll, syntax.AppAll:
			return true
		}
		return false
	})
}

// inside follows everything that runs inside a node, in source order, which is
// the order in which a shell gets there.
func (r *run) inside(node syntax.Node, p *process) {
	syntax.Walk(node, func(node syntax.Node) bool {
		switch n := node.(type) {
		case *syntax.Stmt:
			r.statement(n, p)
		case *syntax.Subshell:
			r.subshell(&process{drained: p.drained}, n.Stmts...)
		case *syntax.CmdSubst:
			r.subshell(&process{drained: true}, n.Stmts...)
		case *syntax.ProcSubst:
			r.subshell(&process{}, n.Stmts...)
		case *syntax.BinaryCmd:
			return r.binary(n, p)
		case *syntax.CoprocClause:
			r.subshell(&process{}, n.Stmt)
			p.start(leavesJob)
		case *syntax.FuncDecl:
			r.declare(n)
		case *syntax.DeclClause:
			for _, a := range n.Args {
				p.assign(a)
			}
			return true
		case *syntax.CallExpr:
			r.call(n, p)
		default:
			return true
		}
		return false
	})
}

// binary runs the sides of a pipe in processes of their own; the right one
// drains the left. It reports whether the node is yet to be followed.
func (r *run) binary(b *syntax.BinaryCmd, p *process) bool {
	if b.Op != syntax.Pipe && b.Op != syntax.PipeAll {
		return true
	}
	r.subshell(&process{drained: true}, b.X)
	r.subshell(&process{drained: p.drained}, b.Y)
	return false
}

func (r *run) declare(f *syntax.FuncDecl) {
	names := f.Names
	if f.Name != nil {
		names = append(names, f.Name)
	}
	if r.functions == nil {
		r.functions = make(map[string]*syntax.Stmt)
	}
	for _, name := range names {
		r.functions[name.Value] = f.Body
	}
}

// standardInput judges a here-document or here-string that a shell reads as
// its script.
func (r *run) standardInput(s *syntax.Stmt) {
	c, ok := s.Cmd.(*syntax.CallExpr)
	if !ok {
		return
	}
	for _, redirect := range s.Redirs {
		body := redirect.Hdoc
		if redirect.Op == syntax.WordHdoc {
			body = redirect.Word
		}
		if lang, ok := readsScript(evaluate(c.Args)); ok && body != nil {
			r.judged(judgeScript(lang, evaluateWord(body).text(), r.depth+1))
		}
	}
}

// judged notes a verdict on a command in the script.
func (r *run) judged(v Verdict, _ bool) {
	if !v.Detaches {
		return
	}
	if !strings.Contains(v.Program, " ") {
		v.Program += " in " + r.name()
	}
	r.detach(v)
}
