package status

import (
	"bytes"
	"encoding/json"
	"slices"
)

// An object is a JSON object whose members keep their order and their text: what
// nobody changes comes out as it went in, to the digit.
type object struct {
	members []member
	index   map[string]int // of members by name
}

type member struct {
	name  string
	text  []byte // the name as it is written
	value *node
}

// A node is a value: text, or an object that has been opened.
type node struct {
	text   []byte
	object *object
}

func newObject() *object {
	return &object{index: map[string]int{}}
}

// parse reads one JSON object. A byte order mark, which some editors write, is
// ignored.
func parse(data []byte) (*object, error) {
	var compact bytes.Buffer
	if err := json.Compact(&compact, bytes.TrimPrefix(data, []byte("\ufeff"))); err != nil {
		return nil, ErrNotObject
	}
	n := node{text: compact.Bytes()}
	if o := n.open(); o != nil {
		return o, nil
	}
	return nil, ErrNotObject
}

// open returns the object that the node is, nil if it is something else.
func (n *node) open() *object {
	if n.object == nil && len(n.text) > 0 && n.text[0] == '{' {
		n.object = scan(n.text)
	}
	return n.object
}

// scan takes an object apart. Its text is valid and compact.
func scan(text []byte) *object {
	o := newObject()
	for text = text[1:]; text[0] != '}'; {
		name := text[:stringEnd(text)]
		text = text[len(name)+1:]
		value := text[:valueEnd(text)]
		text = text[len(value):]
		o.put(member{decodeName(name), name, &node{text: value}})
		if text[0] == ',' {
			text = text[1:]
		}
	}
	return o
}

// put adds a member. Of two with one name the later wins.
func (o *object) put(m member) {
	if i, ok := o.index[m.name]; ok {
		o.members[i] = m
		return
	}
	o.index[m.name] = len(o.members)
	o.members = append(o.members, m)
}

func (o *object) get(name string) *node {
	if i, ok := o.index[name]; ok {
		return o.members[i].value
	}
	return nil
}

// set puts text at the path and reports whether that changed anything. What is
// on the way and no object becomes one.
func (o *object) set(names []string, text []byte) bool {
	name, rest := names[0], names[1:]
	n := o.get(name)
	if n == nil {
		n = &node{}
		o.put(member{name, encodeText(name), n})
	}
	if len(rest) == 0 {
		if bytes.Equal(n.append(nil), text) {
			return false
		}
		*n = node{text: text}
		return true
	}
	if n.open() == nil {
		*n = node{object: newObject()}
	}
	return n.object.set(rest, text)
}

// delete removes what is at the path and reports whether there was anything.
func (o *object) delete(names []string) bool {
	name, rest := names[0], names[1:]
	n := o.get(name)
	switch {
	case n == nil:
		return false
	case len(rest) > 0:
		child := n.open()
		return child != nil && child.delete(rest)
	}
	i := o.index[name]
	o.members = slices.Delete(o.members, i, i+1)
	delete(o.index, name)
	for ; i < len(o.members); i++ {
		o.index[o.members[i].name] = i
	}
	return true
}

// overlay lays values over the object and reports whether that changed anything.
func (o *object) overlay(updates []update) bool {
	changed := false
	for _, u := range updates {
		if u.value.kind == deletedKind {
			changed = o.delete(u.names) || changed
		} else {
			changed = o.set(u.names, u.value.encode()) || changed
		}
	}
	return changed
}

// A change is a path at which two objects differ: its new text, nil for gone.
type change struct {
	names []string
	text  []byte
}

// changes returns what makes the object like the other one.
func (o *object) changes(other *object, above []string) []change {
	var all []change
	for _, m := range o.members {
		if other.get(m.name) == nil {
			all = append(all, change{names: path(above, m.name)})
		}
	}
	for _, m := range other.members {
		before := o.get(m.name)
		if before != nil && bytes.Equal(before.append(nil), m.value.append(nil)) {
			continue
		}
		if before != nil && before.open() != nil && m.value.open() != nil {
			all = append(all, before.object.changes(m.value.object, path(above, m.name))...)
			continue
		}
		all = append(all, change{path(above, m.name), m.value.append(nil)})
	}
	return all
}

func (o *object) apply(changes []change) {
	for _, c := range changes {
		if c.text == nil {
			o.delete(c.names)
		} else {
			o.set(c.names, c.text)
		}
	}
}

// encode returns the object as one line.
func (o *object) encode() []byte {
	return append(o.append(nil), '\n')
}

func (o *object) append(buf []byte) []byte {
	buf = append(buf, '{')
	for i, m := range o.members {
		if i > 0 {
			buf = append(buf, ',')
		}
		buf = append(buf, m.text...)
		buf = append(buf, ':')
		buf = m.value.append(buf)
	}
	return append(buf, '}')
}

func (n *node) append(buf []byte) []byte {
	if n.object != nil {
		return n.object.append(buf)
	}
	return append(buf, n.text...)
}

func path(above []string, name string) []string {
	return append(slices.Clip(above), name)
}

// stringEnd returns the length of the string that compact JSON begins with.
func stringEnd(text []byte) int {
	for i := 1; ; i++ {
		switch text[i] {
		case '\\':
			i++
		case '"':
			return i + 1
		}
	}
}

// valueEnd returns the length of the value that compact JSON begins with and that
// is followed by a comma or a bracket.
func valueEnd(text []byte) int {
	depth := 0
	for i := 0; ; i++ {
		switch text[i] {
		case '"':
			i += stringEnd(text[i:]) - 1
		case '{', '[':
			depth++
		case '}', ']':
			if depth == 0 {
				return i
			}
			depth--
		case ',':
			if depth == 0 {
				return i
			}
		}
	}
}

func decodeName(text []byte) string {
	var name string
	_ = json.Unmarshal(text, &name) // a valid string: cannot fail
	return name
}
