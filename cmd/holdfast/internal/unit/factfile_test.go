package unit

import (
	"maps"
	"os"
	"path/filepath"
	"testing"
)

func TestFactFileRoundTrip(t *testing.T) {
	for _, facts := range []map[string][]byte{
		nil,
		{"a": []byte("x")},
		{"example.com/a": []byte("facts of a"), "example.com/b": nil, "": []byte{0xff, 0}},
	} {
		got, err := decodeFactFile(encodeFactFile(facts))
		if err != nil || !maps.EqualFunc(got, facts, func(a, b []byte) bool { return string(a) == string(b) }) {
			t.Errorf("%q came back as %q, %v", facts, got, err)
		}
	}
}

func TestDamagedFactFilesAreErrors(t *testing.T) {
	good := encodeFactFile(map[string][]byte{"example.com/a": []byte("facts of a"), "example.com/b": []byte("b")})
	for i := 1; i < len(good); i++ {
		if facts, err := decodeFactFile(good[:i]); err == nil {
			t.Errorf("the first %d of %d bytes read as %q", i, len(good), facts)
		}
	}
	if _, err := decodeFactFile(append(good, 0)); err == nil {
		t.Error("bytes after the end went unnoticed")
	}
	if _, err := decodeFactFile([]byte("vetx of somebody else")); err == nil {
		t.Error("a foreign file was accepted")
	}
}

func FuzzDecodeFactFile(f *testing.F) {
	f.Add(encodeFactFile(map[string][]byte{"a": []byte("x"), "b": []byte("yz")}))
	f.Add([]byte(factFileHeader + "\xff\xff\xff\xff\xff\xff\xff\xff\x01"))
	f.Fuzz(func(t *testing.T, data []byte) {
		facts, err := decodeFactFile(data)
		if err != nil {
			return
		}
		again, err := decodeFactFile(encodeFactFile(facts))
		if err != nil || len(again) != len(facts) {
			t.Errorf("%q became %q, %v", facts, again, err)
		}
	})
}

func TestAPackagesOwnFactFileWins(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, facts map[string][]byte) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, encodeFactFile(facts), 0o600); err != nil {
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
