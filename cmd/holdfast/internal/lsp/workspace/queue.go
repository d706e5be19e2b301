package workspace

import "maps"

// A queue holds the folders that are to be judged.
type queue struct {
	first map[string]bool // their text was edited
	later map[string]bool // they may depend on what was edited
}

func newQueue() queue {
	return queue{first: make(map[string]bool), later: make(map[string]bool)}
}

func (q *queue) empty() bool { return len(q.first) == 0 && len(q.later) == 0 }

// next takes what is to be judged now, and reports whether that is what was
// edited.
func (q *queue) next() (dirs map[string]bool, edited bool) {
	if len(q.first) > 0 {
		dirs := q.first
		q.first = make(map[string]bool)
		for dir := range dirs {
			delete(q.later, dir)
		}
		return dirs, true
	}
	dirs = q.later
	q.later = make(map[string]bool)
	return dirs, false
}

// back puts back what was taken and could not be done. If that is because of a new
// edit, it waits behind that: it may be hundreds of folders, or depend on hundreds
// that the edit has changed, and somebody is typing.
func (q *queue) back(dirs map[string]bool, edited bool) {
	if edited && len(q.first) == 0 {
		q.first = dirs
		return
	}
	maps.Copy(q.later, dirs)
}
