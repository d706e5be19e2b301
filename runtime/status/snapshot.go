package status

import (
	"slices"
	"strings"
)

// A snapshot is everything that was published and not taken back, by path.
type snapshot struct {
	entries    map[string]*entry
	order      []*entry // as first published
	generation Generation
}

type entry struct {
	path       string
	names      []string
	value      value
	generation Generation // of the value
}

// An update is a value to be laid over a file.
type update struct {
	names []string
	value value
}

// apply sets fields as one generation, and reports whether anything changed.
func (s *snapshot) apply(fields []Field) bool {
	changed := false
	s.generation++
	for i := range fields {
		changed = s.set(fields[i]) || changed
	}
	if !changed {
		s.generation--
	}
	return changed
}

func (s *snapshot) set(f Field) bool {
	if e, ok := s.entries[f.path]; ok {
		if e.value == f.value {
			return false
		}
		e.value, e.generation = f.value, s.generation
		return true
	}
	s.add(f)
	return true
}

// add makes room for a path: what is published above and below it goes, because
// one value cannot be both an object and something else.
func (s *snapshot) add(f Field) {
	if s.entries == nil {
		s.entries = map[string]*entry{}
	}
	s.remove(func(e *entry) bool {
		return strings.HasPrefix(f.path, e.path+"/") || strings.HasPrefix(e.path, f.path+"/")
	})
	e := &entry{f.path, split(f.path), f.value, s.generation}
	s.entries[f.path] = e
	s.order = append(s.order, e)
}

// forgetDeleted drops deletions that the file has.
func (s *snapshot) forgetDeleted(written Generation) {
	s.remove(func(e *entry) bool {
		return e.value.kind == deletedKind && e.generation <= written
	})
}

func (s *snapshot) remove(which func(*entry) bool) {
	s.order = slices.DeleteFunc(s.order, func(e *entry) bool {
		if !which(e) {
			return false
		}
		delete(s.entries, e.path)
		return true
	})
}

// updates returns all values.
func (s *snapshot) updates() []update {
	updates := make([]update, len(s.order))
	for i, e := range s.order {
		updates[i] = update{e.names, e.value}
	}
	return updates
}
