package loopblock

// A shortlist holds what calls may run, and of all that comes to the same thing
// only the shortest way. Methods of interfaces whose implementations call each
// other have more ways than anyone can list: each way to one goes on in every way
// from there. What a function waits for is told by the shortest.
type shortlist struct {
	most   int // functions on a way; longer ones are left out
	list   []target
	length []int
	place  map[outcome]int // in list
}

// An outcome is a function of this package, or what is known of another's.
type outcome struct {
	node *node
	reason
}

func (p *program) newShortlist() *shortlist {
	return &shortlist{most: p.options.depth, place: make(map[outcome]int)}
}

// add adds what a target comes to, behind the functions that lead to it.
func (l *shortlist) add(before []hop, once bool, t target) {
	once = once || t.once
	via := len(before) + len(t.via)
	if t.node != nil {
		l.keep(outcome{t.node, reason{once: once}}, via, func() target {
			return target{node: t.node, via: join(before, t.via), once: once}
		})
	}
	for i := range t.paths {
		path := &t.paths[i]
		r := path.reason()
		r.once = r.once || once
		l.keep(outcome{nil, r}, via+len(path.Hops), func() target {
			return target{paths: t.paths[i : i+1], via: join(before, t.via), once: once}
		})
	}
}

func (l *shortlist) keep(o outcome, length int, make func() target) {
	i, known := l.place[o]
	switch {
	case length > l.most:
	case !known:
		l.place[o] = len(l.list)
		l.list, l.length = append(l.list, make()), append(l.length, length)
	case length < l.length[i]:
		l.list[i], l.length[i] = make(), length
	}
}

func join(before, after []hop) []hop {
	return append(before[:len(before):len(before)], after...)
}
