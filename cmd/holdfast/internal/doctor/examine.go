package doctor

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/machine"
	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/owned"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// An Examination says how children are held here.
type Examination struct {
	Tier      string   `json:"tier"`
	NotHigher []string `json:"notHigher,omitempty"`
	Trouble   string   `json:"trouble,omitempty"`
	Ledger    string   `json:"ledger"`
	Living    int      `json:"livingOwners"`
	Dead      int      `json:"deadOwners"`
	Unknown   int      `json:"unknownOwners"`
	Damaged   int      `json:"damagedFiles"`
	Orphans   int      `json:"orphans"`
	Hidden    int      `json:"hiddenPorts"`
	Blind     []string `json:"blind,omitempty"`
}

// examine says which tier works on this machine and why not a higher one, and
// how it stands with the ledger.
func (d *doctor) examine(ctx context.Context) (int, error) {
	var e Examination
	e.probeTier(ctx)
	if err := e.readLedger(ctx, d.ledger); err != nil {
		return exitTrouble, err
	}
	taken, err := machine.Take()
	if err != nil {
		return exitTrouble, err
	}
	e.Hidden, e.Blind = len(taken.Hidden), taken.Blind
	if err := d.writeExamination(e); err != nil {
		return exitTrouble, fmt.Errorf("writing: %w", err)
	}
	if e.Orphans > 0 {
		return exitLeft, nil
	}
	return exitNothing, nil
}

func (e *Examination) probeTier(ctx context.Context) {
	owner := owned.New(owned.LedgerDir("off"))
	defer owner.Close(ctx)
	containment := owner.Containment()
	e.Tier, e.NotHigher = containment.Tier.String(), containment.Why
	if containment.Trouble != nil {
		e.Trouble = containment.Trouble.Error()
	}
}

func (e *Examination) readLedger(ctx context.Context, dir string) error {
	records, err := ledger.Read(dir)
	if err != nil {
		return err
	}
	if e.Ledger = dir; dir == "" {
		if e.Ledger, err = ledger.Dir(); err != nil {
			return err
		}
	}
	for _, r := range records {
		switch {
		case r.Dead():
			e.Dead++
		case r.Alive == procid.Alive:
			e.Living++
		default:
			e.Unknown++
		}
		if len(r.Problems) > 0 {
			e.Damaged++
		}
	}
	orphans, err := owned.Orphans(ctx, dir)
	for _, o := range orphans {
		if o.Proven() {
			e.Orphans++
		}
	}
	return err
}

func (d *doctor) writeExamination(e Examination) error {
	if d.asJSON {
		encoder := json.NewEncoder(d.stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(e)
	}
	out := bufio.NewWriter(d.stdout)
	fmt.Fprintf(out, "tier: %s\n", e.Tier)
	for _, why := range e.NotHigher {
		fmt.Fprintf(out, "  not higher: %s\n", why)
	}
	if e.Trouble != "" {
		fmt.Fprintf(out, "  trouble: %s\n", e.Trouble)
	}
	fmt.Fprintf(out, "ledger: %s\n", e.Ledger)
	fmt.Fprintf(out, "  owners: %d alive, %d dead, %d that cannot be looked at\n", e.Living, e.Dead, e.Unknown)
	if e.Damaged > 0 {
		fmt.Fprintf(out, "  damaged files: %d; holdfast ps shows what is wrong\n", e.Damaged)
	}
	fmt.Fprintf(out, "  left behind: %d processes%s\n", e.Orphans, advice(e.Orphans))
	if e.Hidden > 0 {
		fmt.Fprintf(out, "ports: %d belong to processes that this user may not look at\n", e.Hidden)
	}
	for _, what := range e.Blind {
		fmt.Fprintf(out, "not seen: %s\n", what)
	}
	return out.Flush()
}

func advice(orphans int) string {
	if orphans == 0 {
		return ""
	}
	return "; holdfast sweep shows them"
}
