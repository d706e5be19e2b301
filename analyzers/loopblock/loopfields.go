package loopblock

import "go/types"

// loopFields are the variables and fields whose functions a loop calls.
type loopFields struct {
	loops map[*types.Var]Loop
	order []*types.Var
}

func (f *loopFields) add(v *types.Var, loop Loop) {
	if _, known := f.loops[v]; !known {
		f.loops[v] = loop
		f.order = append(f.order, v)
	}
}

// calledOnLoop follows the entries through this package to the fields and
// variables that they call.
func (c *collector) calledOnLoop() *loopFields {
	fields := &loopFields{loops: make(map[*types.Var]Loop)}
	seen := make(map[*node]bool)
	var visit func(n *node, e *entry, loop Loop)
	visit = func(n *node, e *entry, loop Loop) {
		if seen[n] {
			return
		}
		seen[n] = e == nil || e.body == nil
		for _, s := range n.steps {
			if s.away || e != nil && e.body != nil && !inside(e.body, s.pos) {
				continue
			}
			if s.call != nil && s.fn == nil {
				if v, ok := c.place(s.call.Fun).(*types.Var); ok {
					fields.add(v, loop)
				}
			}
			for _, t := range s.targets {
				if t.node != nil {
					visit(t.node, nil, loop)
				}
			}
		}
	}
	for _, e := range c.entries {
		if e.node != nil {
			visit(e.node, e, e.loop)
		}
	}
	for _, obj := range c.holders {
		if v, ok := obj.(*types.Var); ok {
			if loop, _, ok := c.fieldLoop(v); ok && v.Pkg() == c.pass.Pkg {
				fields.add(v, loop)
			}
		}
	}
	c.giveStored(fields)
	return fields
}

// giveStored marks the parameters that a function stores where a loop calls
// them, for the package's importers; and, round and round, the fields from which
// the package itself fills these parameters.
func (c *collector) giveStored(fields *loopFields) {
	for i := 0; i < len(fields.order); i++ {
		loop := fields.loops[fields.order[i]]
		for _, stored := range c.stored(fields.order[i]) {
			if stored.param == nil {
				continue
			}
			if _, known := c.given[stored.param]; !known {
				c.given[stored.param] = loop
			}
			for _, expr := range c.program.given(stored.param) {
				if field, ok := c.place(expr).(*types.Var); ok && field.IsField() {
					fields.add(field, loop)
				}
			}
		}
	}
}
