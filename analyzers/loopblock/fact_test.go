package loopblock

import (
	"bytes"
	"encoding/gob"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/holdfast-go/holdfast/analyzers/internal/chain"
	"github.com/holdfast-go/holdfast/analyzers/internal/roots"
)

func sampleSummaries() map[string]*Summary {
	hops := []chain.Hop{
		{Name: "Save", File: "/src/config/config.go", Line: 210, Col: 9},
		{Name: "write", File: "/src/config/write.go", Line: 7, Col: 2},
	}
	return map[string]*Summary{
		"Config.Save": {Paths: []Path{
			{Kind: roots.Disk, Root: "os.WriteFile", Hops: hops},
			{Kind: roots.Self, Root: "tview.Application.Draw", Loop: "tview's loop", Hops: hops[:1]},
		}},
		"Each":       {Params: []Param{{Index: 1, Role: Synchronous, Once: true, Hops: hops[:1]}}},
		"Bind":       {Params: []Param{{Index: 0, Role: OnLoop, Loop: Loop{Name: "a loop", Allow: []roots.Kind{roots.Disk}}}, {Index: 2, Role: OffLoop}}},
		"Key.Action": {Params: []Param{{Index: self, Role: OnLoop, Loop: Loop{Name: "a loop"}}}},
		"Handler":    {Results: [][]Path{nil, {{Kind: roots.Net, Root: "http.Get", Once: true}}}},
	}
}

// The loops of a package travel to whoever imports it and their implementations.
func TestOpenLoopsRoundTrip(t *testing.T) {
	save := abstract{
		name: "example.com/ports.Store.Save", key: "Save(string)(error)",
		methods: []string{"Name()(string)", "Save(string)(error)"}, limit: maxImplementations,
	}
	want := []openLoop{{
		name: "Update", loop: Loop{Name: "a loop", Allow: []roots.Kind{roots.DB}},
		kinds: []roots.Kind{roots.Disk},
		calls: []openCall{{
			at: chain.Hop{File: "/src/ui/model.go", Line: 44, Col: 9}, length: 12,
			path: Path{Root: "example.com/ports.Store.Save", Loop: "example.com/ports.Store.Save", Hops: []chain.Hop{{Name: "keep", File: "/src/ui/keep.go", Line: 3, Col: 1}}},
		}},
	}}
	fact := new(Unresolved)
	throughGob(t, encodeUnresolved(map[string]abstract{save.name: save}, want), fact)
	interfaces, loops, err := fact.decode()
	if err != nil {
		t.Fatal(err)
	}
	options := cmp.Options{cmp.AllowUnexported(openLoop{}, openCall{}, abstract{}), cmpopts.IgnoreUnexported(chain.Hop{}), cmpopts.EquateEmpty()}
	if diff := cmp.Diff(want, loops, options); diff != "" {
		t.Errorf("loops changed on the way (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff([]abstract{save}, interfaces, options); diff != "" {
		t.Errorf("interfaces changed on the way (-want +got):\n%s", diff)
	}
	for end := range fact.Data {
		if _, _, err := (&Unresolved{fact.Data[:end]}).decode(); err == nil {
			t.Errorf("%d of %d bytes were taken for the whole", end, len(fact.Data))
		}
	}
}

// Facts travel as gob, and the go command keys its cache with their bytes.
func TestFactsRoundTripAsEqualBytes(t *testing.T) {
	summaries := encodeSummaries(sampleSummaries())
	implementations := encodeImplementations([]*implementer{{
		name:    "example.com/store.disk",
		methods: map[string]bool{"Put(string)(error)": true, "Len()(int)": true},
		known:   map[string]*Summary{"Put(string)(error)": {Paths: []Path{{Kind: roots.Disk, Root: "os.Create"}}}},
	}})
	for range 20 { // maps have a new order each time
		if again := encodeSummaries(sampleSummaries()); !bytes.Equal(again.Data, summaries.Data) {
			t.Fatal("equal summaries became different bytes")
		}
	}
	got := new(Summaries)
	throughGob(t, summaries, got)
	decoded, err := got.decode()
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(sampleSummaries(), decoded, cmpopts.IgnoreUnexported(chain.Hop{}), cmpopts.EquateEmpty()); diff != "" {
		t.Errorf("summaries changed on the way (-want +got):\n%s", diff)
	}

	types := new(Implementations)
	throughGob(t, implementations, types)
	list, err := types.decode()
	if err != nil || len(list) != 1 || !list[0].methods["Len()(int)"] || len(list[0].known) != 1 {
		t.Errorf("implementations came back as %v, %v", list, err)
	}
}

func throughGob(t *testing.T, from, to any) {
	t.Helper()
	var buf bytes.Buffer
	if err := gob.NewEncoder(&buf).Encode(from); err != nil {
		t.Fatal(err)
	}
	if err := gob.NewDecoder(&buf).Decode(to); err != nil {
		t.Fatal(err)
	}
}

func TestDamagedFactsAreErrors(t *testing.T) {
	good := encodeSummaries(sampleSummaries()).Data
	for i := range good {
		if _, err := (&Summaries{good[:i]}).decode(); err == nil {
			t.Errorf("the first %d of %d bytes were accepted", i, len(good))
		}
	}
	if _, err := (&Summaries{append(bytes.Clone(good), 0)}).decode(); err == nil {
		t.Error("bytes after the end went unnoticed")
	}
	other := bytes.Clone(good)
	other[0] = factVersion + 1
	if _, err := (&Summaries{other}).decode(); err == nil {
		t.Error("a fact of another version was accepted")
	}
}

func FuzzDecodeSummaries(f *testing.F) {
	f.Add(encodeSummaries(sampleSummaries()).Data)
	f.Add([]byte{factVersion, 0, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		summaries, err := (&Summaries{data}).decode()
		if err != nil {
			return
		}
		again, err := encodeSummaries(summaries).decode()
		if err != nil {
			t.Fatalf("what was decoded does not encode: %v", err)
		}
		if len(again) != len(summaries) {
			t.Errorf("%d summaries became %d", len(summaries), len(again))
		}
	})
}
