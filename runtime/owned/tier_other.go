//go:build unix && !linux

package owned

import "syscall"

func (p *platform) choose(*Owner) {
	p.tier = Portable
	p.why = []string{"marks: need Linux", "cgroup: needs Linux"}
}

func (p *platform) impress(int) {}

func (p *platform) unimpress(int) {}

// A leaf is a cgroup of Linux.
type leaf struct{ path string }

func (leaf) enter(*syscall.SysProcAttr) {}

func (leaf) remove() {}

func reopenLeaf(string) leaf { return leaf{} }
