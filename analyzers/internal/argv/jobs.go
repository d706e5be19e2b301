package argv

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// A process is one shell process: the script's own or a subshell's. A job that
// it still has when it exits is left behind.
//
// A job that the process waits for, in whatever branch, counts as not left
// behind: like any child it dies with the owner's process group. So does one
// that it kills, also in a trap on EXIT.
type process struct {
	jobs  []job
	names map[string]int // variables that hold $!, and of which job; anyJob: several
	exit  []string       // scripts trapped on EXIT
	// drained says that somebody reads this process's standard output to the
	// end and the shell waits for that, as in $(…): a job that has the output
	// open is waited for too.
	drained bool
}

type job struct {
	effect string
	ended  bool
}

// anyJob stands for a job that cannot be told from the others.
const anyJob = -1

func (p *process) start(effect string) {
	p.jobs = append(p.jobs, job{effect: effect})
}

// assign notes that a variable gets a value with $! in it.
func (p *process) assign(a *syntax.Assign) {
	if a.Name == nil || !mentionsLastJob(a) {
		return
	}
	if p.names == nil {
		p.names = make(map[string]int)
	}
	p.names[a.Name.Value] = anyJob
	if a.Value != nil && !a.Append && isParameter(a.Value, "!") {
		p.names[a.Name.Value] = len(p.jobs) - 1
	}
}

func mentionsLastJob(a *syntax.Assign) bool {
	found := false
	syntax.Walk(a, func(node syntax.Node) bool {
		if param, ok := node.(*syntax.ParamExp); ok && param.Param != nil && param.Param.Value == "!" {
			found = true
		}
		return !found
	})
	return found
}

// wait ends the jobs that a wait, fg or the like with these operands waits for.
func (p *process) wait(words []*syntax.Word) {
	operands := 0
	for _, w := range words {
		if strings.HasPrefix(w.Lit(), "-") {
			continue
		}
		operands++
		if i, ok := p.jobOf(w); ok {
			p.end(i)
			continue
		}
		p.end(anyJob) // whatever it names, it is a job of this process
	}
	if operands == 0 {
		p.end(anyJob)
	}
}

// kill ends the jobs that a kill with these operands signals. Signal 0 only
// asks, and a process that is not known to be a job is somebody else's.
func (p *process) kill(words []*syntax.Word) {
	for i, w := range words {
		if w.Lit() == "-0" || w.Lit() == "-s" && i+1 < len(words) && words[i+1].Lit() == "0" {
			return
		}
		if i, ok := p.jobOf(w); ok {
			p.end(i)
		}
	}
}

// jobOf returns the job that a word names: $!, %1, a variable that got $!;
// anyJob for one that names several: $(jobs -p), the whole group.
func (p *process) jobOf(w *syntax.Word) (int, bool) {
	if isParameter(w, "!") {
		return len(p.jobs) - 1, true
	}
	for name, i := range p.names {
		if isParameter(w, name) {
			return i, true
		}
	}
	if strings.HasPrefix(w.Lit(), "%") || isGroup(w) || callsJobs(w) {
		return anyJob, true
	}
	return 0, false
}

// isGroup reports whether the word names the script's process group to kill:
// 0 or -$$.
func isGroup(w *syntax.Word) bool {
	if w.Lit() == "0" {
		return true
	}
	if len(w.Parts) != 2 {
		return false
	}
	lit, isLit := w.Parts[0].(*syntax.Lit)
	param, isParam := w.Parts[1].(*syntax.ParamExp)
	return isLit && isParam && lit.Value == "-" && param.Param != nil && param.Param.Value == "$"
}

func (p *process) end(i int) {
	for j := range p.jobs {
		if i == anyJob || i == j {
			p.jobs[j].ended = true
		}
	}
}

// left returns the effect of the first job that is left behind.
func (p *process) left() (effect string, ok bool) {
	for _, j := range p.jobs {
		if !j.ended {
			return j.effect, true
		}
	}
	return "", false
}

// isParameter reports whether the word is the parameter's expansion and
// nothing else: $name, ${name}, "$name", "${name[@]}".
func isParameter(w *syntax.Word, name string) bool {
	if len(w.Parts) != 1 {
		return false
	}
	part := w.Parts[0]
	if quoted, ok := part.(*syntax.DblQuoted); ok && len(quoted.Parts) == 1 {
		part = quoted.Parts[0]
	}
	param, ok := part.(*syntax.ParamExp)
	return ok && param.Param != nil && param.Param.Value == name
}

// callsJobs reports whether the word is what the jobs builtin prints.
func callsJobs(w *syntax.Word) bool {
	found := false
	syntax.Walk(w, func(node syntax.Node) bool {
		if c, ok := node.(*syntax.CallExpr); ok && len(c.Args) > 0 && c.Args[0].Lit() == "jobs" {
			found = true
		}
		return !found
	})
	return found
}
