//go:build unix

package owned

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned/internal/census"
)

// stop ends what is in the child's group and session, what descends from it,
// and what carries its mark.
func (c *Child) stop(ctx context.Context) error {
	c.hold.reprove()
	ending := census.Ending{
		Claim: census.Claim{Groups: map[int]census.Member{}, Cookie: c.mark},
		Grace: c.settings.grace,
		Now:   ctx.Done(),
	}
	c.hold.join(&ending)
	return run(ending)
}

// close ends the children, the groups that were adopted and everything that
// carries a mark, and gives back what the tier needed.
func (p *platform) close(ctx context.Context, children []*Child) error {
	ending := census.Ending{Claim: p.claim(), Grace: p.grace, Now: ctx.Done()}
	ending.Claim.Groups = map[int]census.Member{}
	holds := p.allAdopted()
	for _, c := range children {
		holds = append(holds, c.hold)
		if !c.settings.waitElsewhere {
			go c.Wait()
		}
	}
	for _, h := range holds {
		h.join(&ending)
	}
	if p.leaf.path != "" {
		ending.Kill = func() { os.WriteFile(filepath.Join(p.leaf.path, "cgroup.kill"), []byte("1"), 0) }
	}
	err := run(ending)
	if err == nil {
		for _, h := range holds {
			h.finish(false)
		}
	}
	p.spares.drop()
	if closeErr := p.client.Close(); err == nil {
		err = closeErr
	}
	p.leaf.remove()
	return err
}

// join makes the group a part of an ending, if it is still owned.
func (h *hold) join(ending *census.Ending) {
	<-h.known
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.over {
		return
	}
	ending.Claim.Groups[h.id] = h.member
	if ending.GraceOf == nil {
		ending.GraceOf = map[int]time.Duration{}
	}
	ending.GraceOf[h.id] = h.grace
}

func run(ending census.Ending) error {
	left, err := ending.Run()
	if err != nil || len(left) == 0 {
		return err
	}
	var names []string
	for _, process := range left {
		names = append(names, fmt.Sprintf("%s (%d)", process.Name, process.PID))
	}
	return fmt.Errorf("still alive after SIGKILL: %s", strings.Join(names, ", "))
}
