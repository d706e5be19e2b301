package loopblock

import (
	"go/ast"
	"go/types"

	"github.com/holdfast-go/holdfast/analyzers/internal/frameworks"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

// waitForPosted returns the blocker of a WaitGroup.Wait whose Done stands in a
// function that this package gives to a loop: on that loop, the wait is for
// itself.
func (p *program) waitForPosted(s *step) []*blocker {
	if !isWaitGroup(s.fn, "Wait") {
		return nil
	}
	group := p.groupOf(s.call)
	if group == nil {
		return nil
	}
	if p.posted == nil {
		p.posted = p.postedGroups()
	}
	loop, ok := p.posted[group]
	if !ok {
		return nil
	}
	return p.blocker(&blocker{kind: roots.Self, name: rootName(s.fn), loop: loop})
}

// postedGroups returns the wait groups that a function which runs on a
// framework's loop is to release, with the loop's name.
func (p *program) postedGroups() map[types.Object]string {
	groups := make(map[types.Object]string)
	for _, n := range p.nodes {
		for _, s := range n.steps {
			if s.fn == nil {
				continue
			}
			for i := range s.signature().Params().Len() {
				loop, ok := frameworks.Callback(s.fn, i)
				if !ok {
					continue
				}
				for _, arg := range arguments(p.info, s.call, s.signature(), i) {
					for _, v := range p.values(arg) {
						if v.node != nil {
							p.addReleased(groups, v.node, loop.Name)
						}
					}
				}
			}
		}
	}
	return groups
}

// addReleased adds the wait groups on which a function calls Done.
func (p *program) addReleased(groups map[types.Object]string, n *node, loop string) {
	for _, s := range n.steps {
		if !s.away && isWaitGroup(s.fn, "Done") {
			if group := p.groupOf(s.call); group != nil {
				groups[group] = loop
			}
		}
	}
}

func isWaitGroup(fn *types.Func, method string) bool {
	if fn == nil || fn.Name() != method || fn.Pkg() == nil || fn.Pkg().Path() != "sync" {
		return false
	}
	recv := fn.Signature().Recv()
	return recv != nil && ownerName(recv.Type()) == "WaitGroup"
}

// groupOf returns the variable or field that a method is called on.
func (p *program) groupOf(call *ast.CallExpr) types.Object {
	if selector := selectorOf(call); selector != nil {
		return p.place(selector.X)
	}
	return nil
}
