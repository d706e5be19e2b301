package campaign

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/holdfast-go/holdfast/runtime/owned"
)

// TestBursts kills owners while they start children. Such an owner has always
// just started one that it has not had time to say a word about.
func TestBursts(t *testing.T) {
	t.Parallel()
	rounds, tiers := 40, workingTiers(t)
	if endToEnd {
		rounds = 1000
	}
	enough := time.Now().Add(4 * time.Minute) // A slow machine tries fewer.
	controls := map[owned.Tier]string{}
	for _, tier := range tiers {
		controls[tier] = "BURST=" + token()
		startOwner(t, order{Tier: tier, Commands: burst(tier, controls[tier])})
	}
	burstMark := "BURST=" + token()
	t.Cleanup(func() { end(marked(burstMark)) })

	killed, children := 0, 0
	for killed < rounds && time.Now().Before(enough) {
		var owners []*owner
		for range min(4, rounds-killed) {
			tier := tiers[(killed+len(owners))%len(tiers)]
			owners = append(owners, startOwner(t, order{Tier: tier, Burst: true, Commands: burst(tier, burstMark)}))
		}
		for _, w := range owners {
			time.Sleep(time.Duration(rand.IntN(20_000)) * time.Microsecond) // When is the point of the test.
			w.process.Kill()
			killed++
		}
		children += len(marked(burstMark))
		for _, w := range owners {
			w.wait()
			w.awaitSupervisor()
		}
		if left := living(marked(burstMark)); len(left) > 0 {
			t.Fatalf("after %d owners %d of their processes are alive: %s", killed, len(left), name(left[0]))
		}
	}
	if children == 0 {
		t.Error("nobody was there to be killed")
	}
	for _, tier := range tiers {
		if alive := len(marked(controls[tier])); alive < members(tier) {
			t.Errorf("of the living owner's %d processes in the %v tier %d are alive", members(tier), tier, alive)
		}
	}
	t.Logf("%d owners killed in a burst, at least %d of their processes; 0 left", killed, children)
}

// burst is what an owner starts again and again until it is killed: a child, a
// tree, and a daemon, which the portable tier does not promise to hold.
func burst(tier owned.Tier, mark string) (commands []command) {
	scripts := []string{"exec sleep 1000", "sleep 1000 & exec sleep 1000", "(setsid sleep 1000 &) ; exec sleep 1000"}
	if tier == owned.Portable {
		scripts = scripts[:2]
	}
	for _, script := range scripts {
		commands = append(commands, command{Args: []string{"sh", "-c", script}, Env: []string{mark}})
	}
	return commands
}

// members is how many processes one round of a burst has.
func members(tier owned.Tier) int {
	if tier == owned.Portable {
		return 3
	}
	return 5
}
