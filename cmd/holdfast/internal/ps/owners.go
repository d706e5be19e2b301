package ps

import (
	"time"

	"github.com/holdfast-go/holdfast/runtime/ledger"
	"github.com/holdfast-go/holdfast/runtime/procid"
)

// An Owner is a process that starts others, as "holdfast ps -json" prints it.
type Owner struct {
	Process  procid.Identity `json:"process"`
	State    procid.State    `json:"state"`
	Since    time.Time       `json:"since,omitzero"` // it has kept a ledger
	Command  []string        `json:"command,omitempty"`
	Dir      string          `json:"dir,omitempty"`
	File     string          `json:"file"`
	Problems []string        `json:"problems,omitempty"` // with the file
	Children []Child         `json:"children"`
}

// A Child is a process that an owner started and has not seen the end of.
type Child struct {
	Process procid.Identity `json:"process,omitzero"`
	State   procid.State    `json:"state"`
	Kept    bool            `json:"kept"` // it is meant to outlive the owner
	Reason  string          `json:"reason,omitempty"`
	Since   time.Time       `json:"since"`
	Name    string          `json:"name,omitempty"`
	Family  string          `json:"family,omitempty"`
	Group   int             `json:"group,omitempty"`
	Session int             `json:"session,omitempty"`
	Command []string        `json:"command,omitempty"`
	Dir     string          `json:"dir,omitempty"`
	Log     string          `json:"log,omitempty"`
}

// ownersOf returns the owners with their children. Children that are gone, and
// owners that are and of which nothing is left to tell, are there only if all are
// wanted.
func ownersOf(records []ledger.OwnerRecord, all bool) []Owner {
	owners := []Owner{}
	for _, r := range records {
		o := Owner{
			Process: r.Owner, State: r.Alive, Since: r.Opened.Time, Command: r.Opened.Command, Dir: r.Opened.Dir,
			File: r.File, Problems: r.Problems, Children: []Child{},
		}
		for _, e := range r.Live {
			if c := child(e); all || c.State != procid.Gone {
				o.Children = append(o.Children, c)
			}
		}
		if all || o.State != procid.Gone || len(o.Children) > 0 || len(o.Problems) > 0 {
			owners = append(owners, o)
		}
	}
	return owners
}

func child(e ledger.Entry) Child {
	return Child{
		Process: e.Process, State: e.Process.State(), Kept: e.Event == ledger.EventKeep, Reason: e.Reason, Since: e.Time,
		Name: e.Name, Family: e.Family, Group: e.Group, Session: e.Session, Command: e.Command, Dir: e.Dir, Log: e.Log,
	}
}
