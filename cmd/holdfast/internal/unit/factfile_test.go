package unit

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestFactFileRoundTrip(t *testing.T) {
	several := map[string][]byte{"example.com/a": []byte("facts of a"), "example.com/b": nil, "": {0xff, 0}}
	for _, files := range []factFiles{
		{},
		{facts: map[string][]byte{"a": []byte("x")}},
		{transitive: map[string][]byte{"a": []byte("x")}},
		{facts: several},
		{facts: map[string][]byte{"a": []byte("x")}, transitive: several},
	} {
		got, err := decodeFactFile(files.encode())
		if err != nil || !equal(got.facts, files.facts) || !equal(got.transitive, files.transitive) {
			t.Errorf("%q came back as %q, %v", files, got, err)
		}
	}
}

func equal(a, b map[string][]byte) bool {
	return maps.EqualFunc(a, b, func(x, y []byte) bool { return string(x) == string(y) })
}

func TestDamagedFactFilesAreErrors(t *testing.T) {
	files := factFiles{
		facts:      map[string][]byte{"example.com/a": []byte("facts of a"), "example.com/b": []byte("b")},
		transitive: map[string][]byte{"example.com/c": []byte("c")},
	}
	good := files.encode()
	for i := 1; i < len(good); i++ {
		if facts, err := decodeFactFile(good[:i]); err == nil {
			t.Errorf("the first %d of %d bytes read as %q", i, len(good), *facts)
		}
	}
	if _, err := decodeFactFile(append(good, 0)); err == nil {
		t.Error("bytes after the end went unnoticed")
	}
	if _, err := decodeFactFile([]byte("vetx of somebody else")); err == nil {
		t.Error("a foreign file was accepted")
	}
}

func encodeFacts(facts map[string][]byte) []byte {
	files := factFiles{facts: facts}
	return files.encode()
}

func FuzzDecodeFactFile(f *testing.F) {
	f.Add(encodeFacts(map[string][]byte{"a": []byte("x"), "b": []byte("yz")}))
	f.Add([]byte(factFileHeader + "\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := decodeFactFile(data)
		if err != nil {
			return
		}
		again, err := decodeFactFile(facts.encode())
		if err != nil || !equal(again.facts, facts.facts) || !equal(again.transitive, facts.transitive) {
			t.Errorf("%q became %q, %v", facts, again, err)
		}
	})
}

func TestAPackagesOwnFactFileWins(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, facts map[string][]byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, encodeFacts(facts), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	cfg := &config{PackageVetx: map[string]string{
		"a": write("a", map[string][]byte{"a": []byte("a"), "b": []byte("b seen by a")}),
		"b": write("b", map[string][]byte{"b": []byte("b itself")}),
		"c": write("c", map[string][]byte{"b": []byte("b seen by c")}),
	}}
	files, err := readDependencyFacts(cfg)
	if err != nil {
		t.Fatal(err)
	}
	if got := string(files.facts["b"]); got != "b itself" {
		t.Errorf("facts of b: %q", got)
	}
}
