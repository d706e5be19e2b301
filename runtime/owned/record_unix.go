//go:build unix

package owned

import "github.com/holdfast-go/holdfast/runtime/ledger"

// note adds by what descendants are known that have thrown the cookie away.
func (p *platform) note(entry *ledger.Entry) {
	entry.Locks, entry.Leaf = p.marks.Locks, p.leaf.path
}
