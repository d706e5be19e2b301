package unit

import (
	"bytes"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/analysis"
)

type farFact struct{ Text string }

func (*farFact) AFact()      {}
func (*farFact) Transitive() {}

var farAnalyzer = &analysis.Analyzer{Name: "far", FactTypes: []analysis.Fact{new(farFact), new(noteFact)}}

// export returns the facts file of a package with a fact of each sort, whose
// dependencies told what stands in files.
func export(t *testing.T, pkg *types.Package, files *factFiles) *factFiles {
	t.Helper()
	store := newFactStore(pkg, files, []*analysis.Analyzer{farAnalyzer})
	store.exportPackageFact(&farFact{"far " + pkg.Path()})
	store.exportPackageFact(&noteFact{Text: "near " + pkg.Path()})
	facts, err := decodeFactFile(encode(t, store))
	if err != nil {
		t.Fatal(err)
	}
	facts.module = files.module
	return facts
}

// hidden is a package of which the others know less and less: the next one
// imports it, what export data says of that one does not mention it, and the
// one on top imports only what imports that.
type hidden struct{ below, next, between, above *types.Package }

func hide(t *testing.T) hidden {
	below := typeCheck(t, "example.com/below", "package lowest; type T struct{}")
	next := typeCheck(t, "example.com/next", `package next; import lowest "example.com/below"; func New() any { return lowest.T{} }`, below)
	nextExported := typeCheck(t, "example.com/next", `package next; func New() any { return nil }`)
	between := typeCheck(t, "example.com/between", `package between; import "example.com/next"; var V = next.New()`, nextExported)
	betweenExported := typeCheck(t, "example.com/between", `package between; var V any`)
	above := typeCheck(t, "example.com/above", `package above; import "example.com/between"; var _ = between.V`, betweenExported)
	return hidden{below, next, between, above}
}

// files are what the topmost package is told.
func (h hidden) files(t *testing.T) *factFiles {
	return export(t, h.between, export(t, h.next, export(t, h.below, noFacts())))
}

func allFacts(s *factStore) map[string]string {
	list := make(map[string]string)
	for _, fact := range s.packageFacts(farAnalyzer.FactTypes) {
		switch f := fact.Fact.(type) {
		case *farFact:
			list[f.Text] = fact.Package.Name()
		case *noteFact:
			list[f.Text] = fact.Package.Name()
		}
	}
	return list
}

func TestTransitiveFactsReachEveryDependentOfTheModule(t *testing.T) {
	chain := hide(t)
	files := chain.files(t)
	store := newFactStore(chain.above, files, []*analysis.Analyzer{farAnalyzer})
	got := allFacts(store)
	if len(got) != 4 || got["far example.com/below"] != "lowest" || got["far example.com/next"] != "next" ||
		got["far example.com/between"] != "between" || got["near example.com/between"] != "between" {
		t.Errorf("the topmost package sees %v", got)
	}
	if paths := strings.Join(files.packages(), " "); paths != "example.com/below example.com/between example.com/next" {
		t.Errorf("packages with facts: %s", paths)
	}
	var far farFact
	if !store.importPackageFact(chain.above.Imports()[0], &far) || far.Text != "far example.com/between" {
		t.Errorf("a transitive fact about an import is %+v", far)
	}
}

func TestTransitiveFactsStayInTheirModule(t *testing.T) {
	chain := hide(t)
	files := chain.files(t)
	files.module = "example.com/above"
	store := newFactStore(chain.above, files, []*analysis.Analyzer{farAnalyzer})
	if got := allFacts(store); len(got) != 2 || got["far example.com/between"] == "" {
		t.Errorf("another module sees %v", got)
	}
	out, err := decodeFactFile(encode(t, store))
	if err != nil || len(out.transitive) != 1 || out.transitive["example.com/between"] == nil {
		t.Errorf("another module hands on %q, %v", out.transitive, err)
	}
	for path, want := range map[string]bool{"m": true, "m/p": true, "mm": false, "n": false} {
		if got := newFactFiles("m").isOurs(path); got != want {
			t.Errorf("%s is of module m: %t", path, got)
		}
		if newFactFiles("").isOurs(path) {
			t.Errorf("%s is of no module", path)
		}
	}
}

func TestAPackageThatIsNotAnalysedHandsOnTransitiveFacts(t *testing.T) {
	facts := export(t, hide(t).below, noFacts())
	dependency := filepath.Join(t.TempDir(), "below.out")
	writeFile(t, dependency, facts.encode())
	cfg := config{
		ID: "example.com/p", ImportPath: "example.com/p", Dir: t.TempDir(), ModulePath: "example.com", VetxOnly: true,
		GoFiles:     []string{source(t, "package p\n")},
		PackageVetx: map[string]string{"example.com/below": dependency},
	}
	rule := Rule{Analyzer: farAnalyzer, Relevant: func(*Source) bool { return false }}
	_, _, _, handed := unitTest{cfg: cfg, rules: []Rule{rule}}.run(t)
	if !bytes.Equal(handed, facts.encode()) {
		t.Errorf("handed on %q", handed)
	}
}

func TestEqualTransitiveFactsGiveEqualBytes(t *testing.T) {
	first := hide(t).files(t).encode()
	for range 10 {
		if again := hide(t).files(t).encode(); !bytes.Equal(first, again) {
			t.Fatalf("facts encoded as\n%q\nand as\n%q", first, again)
		}
	}
}

func TestDamagedTransitiveFactsFailTheUnit(t *testing.T) {
	chain := hide(t)
	for _, data := range []string{"", "\x00", "\x09x", "\x01pnot gob"} {
		files := noFacts()
		files.transitive["example.com/below"] = []byte(data)
		store := newFactStore(chain.above, files, []*analysis.Analyzer{farAnalyzer})
		store.packageFacts(farAnalyzer.FactTypes)
		if _, err := store.encode(); err == nil {
			t.Errorf("%q went unnoticed", data)
		}
	}
}
