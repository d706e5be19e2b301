package unit

import (
	"bytes"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"testing"

	"golang.org/x/tools/go/analysis"
)

type noteFact struct {
	Text  string
	Chain []hop
}

type hop struct {
	File string
	Line int
}

type markFact struct{}

func (*noteFact) AFact() {}
func (*markFact) AFact() {}

// The second analyzer gives its type as a nil pointer, as go/analysis allows.
var (
	noteAnalyzer = &analysis.Analyzer{Name: "note", FactTypes: []analysis.Fact{new(noteFact)}}
	markAnalyzer = &analysis.Analyzer{Name: "mark", FactTypes: []analysis.Fact{(*markFact)(nil)}}
)

const factSource = `package p

type T struct{ Field int; hidden int }

func (T) Method() {}
func (T) unexported() {}

func F(param int) (result string) { local := 0; _ = local; return }

var V int

type Alias = struct{ Inner int }
`

// typeCheck checks one file; imports are other packages checked before.
func typeCheck(t *testing.T, path, source string, imports ...*types.Package) *types.Package {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, path+".go", source, 0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := types.Config{Importer: importerFunc(func(name string) (*types.Package, error) {
		for _, pkg := range imports {
			if pkg.Path() == name {
				return pkg, nil
			}
		}
		return importer.Default().Import(name)
	})}
	pkg, err := cfg.Check(path, fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return pkg
}

// object finds "F", "T.Method", "T.Field", "F#param".
func object(t *testing.T, pkg *types.Package, name string) types.Object {
	t.Helper()
	scope := pkg.Scope()
	named := func() types.Type { return scope.Lookup("T").Type() }
	var obj types.Object
	switch name {
	case "T.Method", "T.unexported", "T.Field", "T.hidden":
		obj, _, _ = types.LookupFieldOrMethod(named(), true, pkg, name[2:])
	case "F#param":
		obj = scope.Lookup("F").(*types.Func).Signature().Params().At(0)
	case "F#result":
		obj = scope.Lookup("F").(*types.Func).Signature().Results().At(0)
	case "F#local":
		obj = scope.Lookup("F").(*types.Func).Scope().Lookup("local")
	case "Alias.Inner":
		obj = scope.Lookup("Alias").Type().Underlying().(*types.Struct).Field(0)
	default:
		obj = scope.Lookup(name)
	}
	if obj == nil {
		t.Fatalf("no object %s in %s", name, pkg.Path())
	}
	return obj
}

func newStore(pkg *types.Package, files *factFiles) *factStore {
	return newFactStore(pkg, files, []*analysis.Analyzer{noteAnalyzer, markAnalyzer})
}

func noFacts() *factFiles { return newFactFiles("example.com") }

func encode(t *testing.T, s *factStore) []byte {
	t.Helper()
	data, err := s.encode()
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func TestFactsReachTheImporterThroughTheirObjects(t *testing.T) {
	names := []string{"F", "V", "T", "T.Method", "T.unexported", "T.Field", "T.hidden", "F#param", "F#result", "Alias.Inner"}
	p := typeCheck(t, "example.com/p", factSource)
	store := newStore(p, noFacts())
	for _, name := range names {
		store.exportObjectFact(object(t, p, name), &noteFact{Text: name, Chain: []hop{{name + ".go", 7}}})
	}
	store.exportObjectFact(object(t, p, "F"), new(markFact))
	store.exportObjectFact(object(t, p, "F#local"), new(markFact)) // nobody can name it
	store.exportPackageFact(&noteFact{Text: "package"})
	facts, err := decodeFactFile(encode(t, store))
	if err != nil {
		t.Fatal(err)
	}

	// The importer sees p through types of its own making.
	again := typeCheck(t, "example.com/p", factSource)
	q := typeCheck(t, "example.com/q", `package q; import "example.com/p"; var _ p.T`, again)
	reader := newStore(q, facts)
	for _, name := range names {
		var got noteFact
		if !reader.importObjectFact(object(t, again, name), &got) || got.Text != name ||
			len(got.Chain) != 1 || got.Chain[0] != (hop{name + ".go", 7}) {
			t.Errorf("fact about %s arrived as %+v", name, got)
		}
	}
	if !reader.importObjectFact(object(t, again, "F"), new(markFact)) {
		t.Error("the second fact about F is lost")
	}
	if reader.importObjectFact(object(t, again, "V"), new(markFact)) {
		t.Error("V has a fact that nobody exported")
	}
	var got noteFact
	if !reader.importPackageFact(again, &got) || got.Text != "package" {
		t.Errorf("the package's fact arrived as %+v", got)
	}
	if n := len(reader.objectFacts(noteAnalyzer.FactTypes)); n != len(names) {
		t.Errorf("%d object facts in all, want %d", n, len(names))
	}
	if n := len(reader.packageFacts(noteAnalyzer.FactTypes)); n != 1 {
		t.Errorf("%d package facts in all, want 1", n)
	}
}

func TestFactsAreDecodedOnlyForPackagesThatAreAskedAbout(t *testing.T) {
	p := typeCheck(t, "example.com/p", factSource)
	q := typeCheck(t, "example.com/q", `package q; import "example.com/p"; var V p.T`, p)
	store := newStore(q, &factFiles{facts: map[string][]byte{"example.com/p": []byte("not gob"), "example.com/r": []byte("not gob")}})
	if store.importObjectFact(object(t, q, "V"), new(markFact)) || store.err != nil {
		t.Errorf("asking about the package itself read others: %v", store.err)
	}
	store.importObjectFact(object(t, p, "F"), new(markFact))
	if store.err == nil {
		t.Error("damaged facts about p went unnoticed")
	}
	if _, err := store.encode(); err == nil {
		t.Error("a unit with damaged facts passed")
	}
}

func TestAFactAboutAnotherPackagesObjectFailsTheUnit(t *testing.T) {
	p := typeCheck(t, "example.com/p", factSource)
	q := typeCheck(t, "example.com/q", `package q; import "example.com/p"; var _ p.T`, p)
	store := newStore(q, noFacts())
	store.exportObjectFact(object(t, p, "F"), new(markFact))
	if _, err := store.encode(); err == nil {
		t.Error("no error")
	}
}

// The go command keys the cache of every importer with these bytes.
func TestEqualFactsGiveEqualBytes(t *testing.T) {
	p := typeCheck(t, "example.com/p", factSource)
	names := []string{"F", "V", "T", "T.Method", "T.Field", "F#param"}
	var first []byte
	for range 20 {
		store := newStore(p, noFacts())
		for _, name := range names { // map order varies
			store.exportObjectFact(object(t, p, name), &noteFact{Text: name})
			store.exportObjectFact(object(t, p, name), new(markFact))
		}
		data := encode(t, store)
		if first == nil {
			first = data
		}
		if !bytes.Equal(data, first) {
			t.Fatalf("facts encoded as\n%q\nand as\n%q", first, data)
		}
	}
}

func TestOnlyFactsThatAnImporterCanMeetArePassedOn(t *testing.T) {
	r := typeCheck(t, "example.com/r", `package r; type R struct{}`)
	q := typeCheck(t, "example.com/q", `package q; import "example.com/r"; type Q struct{ R r.R }`, r)
	q.SetImports([]*types.Package{r}) // as export data does: all that it mentions
	p := typeCheck(t, "example.com/p", `package p; import "example.com/q"; type P struct{ q.Q }`, q)
	files := &factFiles{facts: map[string][]byte{
		"example.com/q": []byte("about q"),
		"example.com/r": []byte("about r"),
		"example.com/s": []byte("about s"), // q uses it inside
		"example.com/p": []byte("about an older p"),
	}}
	facts, err := decodeFactFile(encode(t, newStore(p, files)))
	if err != nil {
		t.Fatal(err)
	}
	if len(facts.facts) != 2 || string(facts.facts["example.com/q"]) != "about q" || string(facts.facts["example.com/r"]) != "about r" {
		t.Errorf("passed on %q", facts.facts)
	}
}

func TestNoFactsMakeAnEmptyFile(t *testing.T) {
	p := typeCheck(t, "example.com/p", factSource)
	if data := encode(t, newStore(p, noFacts())); len(data) != 0 {
		t.Errorf("%q", data)
	}
}
