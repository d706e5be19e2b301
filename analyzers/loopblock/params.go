package loopblock

import (
	"go/types"
)

// follow finds out which function parameters each function calls before it
// returns, directly or by handing them on. It goes round until nothing is
// added; what a function is once found to call stays, so that recursion ends.
func (p *program) follow() {
	for _, n := range p.nodes {
		n.called = make(map[*types.Var]*called)
	}
	if len(p.params) == 0 {
		return
	}
	for changed := true; changed; {
		changed = false
		for _, n := range p.nodes {
			for _, s := range n.steps {
				if s.call != nil && !s.away && p.followStep(n, s) {
					changed = true
				}
			}
		}
	}
}

// followStep adds to a function's calls those that one of its steps makes, and
// reports whether any is new.
func (p *program) followStep(n *node, s *step) bool {
	changed := p.followValues(n, s, p.values(s.call.Fun), &called{})
	if s.fn == nil {
		return changed
	}
	sig := s.fn.Signature()
	for i := range sig.Params().Len() {
		if !p.holdsFunctions(sig.Params().At(i).Type()) {
			continue
		}
		use := p.synchronous(s.fn, i)
		if use == nil {
			continue
		}
		for _, arg := range arguments(p.info, s.call, sig, i) {
			if p.followValues(n, s, p.values(arg), use) {
				changed = true
			}
		}
	}
	return changed
}

// followValues adds the parameters among values that a step calls, or that the
// literals among them call: those of the functions around the step. What a
// function captured that has returned is not for this one's callers to give.
func (p *program) followValues(n *node, s *step, values []value, use *called) bool {
	changed := false
	for _, v := range values {
		switch {
		case v.param != nil && n.within(p.params[v.param].node):
			changed = n.addCall(v.param, s, use, nil, p.options.depth) || changed
		case v.node != nil && v.node.obj == nil && v.node != n:
			for param, inner := range v.node.called {
				if n.within(p.params[param].node) {
					changed = n.addCall(param, s, use, inner, p.options.depth) || changed
				}
			}
		}
	}
	return changed
}

// addCall notes that a step of the function calls a parameter: through the
// functions of use, then of inner.
func (n *node) addCall(param *types.Var, s *step, use, inner *called, limit int) bool {
	if n.called[param] != nil {
		return false
	}
	hops := append([]hop{{node: n, step: s}}, use.hops...)
	once := use.once
	if inner != nil {
		hops = append(hops, inner.hops...)
		once = once || inner.once
	}
	if len(hops) > limit {
		return false
	}
	n.called[param] = &called{hops: hops, once: once}
	return true
}
