package status

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"
)

func TestWhatNobodyChangesKeepsItsText(t *testing.T) {
	text := `{"big":12345678901234567890123456789,"exact":1.10,"html":"<&>","uni":"\u00e9\ud800","arr":[1,{"a":"}]"}],"":{"\"\\":null},"nested":{"x":{"y":1},"z":2}}`
	root, err := parse([]byte("\ufeff  " + text + "\n\n"))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(root.append(nil)); got != text {
		t.Errorf("\n got %s\nwant %s", got, text)
	}
	root.set([]string{"nested", "x", "y"}, []byte("7"))
	want := text[:len(text)-len(`1},"z":2}}`)] + `7},"z":2}}`
	if got := string(root.append(nil)); got != want {
		t.Errorf("\n got %s\nwant %s", got, want)
	}
}

func TestWhatIsNoObjectIsRefused(t *testing.T) {
	for _, text := range []string{"", " ", "null", "1", `"a"`, "[]", "{", `{"a":1`, `{"a":1}{"b":2}`, `{"a":1} x`, "\x00", "{'a':1}"} {
		if _, err := parse([]byte(text)); !errors.Is(err, ErrNotObject) {
			t.Errorf("parse(%q): %v", text, err)
		}
	}
}

// randomObject has few names, so that two of them have much in common.
func randomObject(r *rand.Rand, depth int) *object {
	o := newObject()
	for range r.IntN(5) {
		name := string(rune('a' + r.IntN(4)))
		if depth > 0 && r.IntN(2) == 0 {
			o.set([]string{name}, randomObject(r, depth-1).append(nil))
		} else {
			o.set([]string{name}, fmt.Append(nil, r.IntN(3)))
		}
	}
	return o
}

func TestChangesMakeOneObjectTheOther(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 20_000 {
		from, to := randomObject(r, 3), randomObject(r, 3)
		before, want := string(from.append(nil)), to.append(nil)
		from.apply(from.changes(to, nil))
		if got := from.append(nil); !sameJSON(t, got, want) {
			t.Fatalf("from %s\n got %s\nwant %s", before, got, want)
		}
	}
}

// Changes of two writers at different paths come out the same in either order.
func TestChangesOfOthersDoNotDisturbEachOther(t *testing.T) {
	base := `{"a":{"x":1,"y":1},"b":1}`
	first, second := `{"a":{"x":2,"y":1},"b":1}`, `{"a":{"x":1,"y":2,"z":3}}`
	root, a, b := mustParse(t, base), mustParse(t, first), mustParse(t, second)
	changesA, changesB := root.changes(a, nil), root.changes(b, nil)
	root.apply(changesA)
	root.apply(changesB)
	if want := `{"a":{"x":2,"y":2,"z":3}}`; string(root.append(nil)) != want {
		t.Errorf("got %s, want %s", root.append(nil), want)
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{`{}`, `{"a":{"b":[1,"}",{}]},"a":2}`, "\ufeff{\"\\u0061\" : null}", `[`, `{"a":"\\"}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		root, err := parse(data)
		var want map[string]any
		decoder := json.NewDecoder(bytes.NewReader(bytes.TrimPrefix(data, []byte("\ufeff"))))
		decoder.UseNumber()
		isObject := decoder.Decode(&want) == nil && want != nil && !decoder.More() && json.Valid(bytes.TrimPrefix(data, []byte("\ufeff")))
		if (err == nil) != isObject {
			t.Fatalf("parse(%q): %v, but encoding/json says %v", data, err, isObject)
		}
		if err != nil {
			return
		}
		for _, m := range root.members {
			m.value.open()
		}
		var got map[string]any
		decoder = json.NewDecoder(bytes.NewReader(root.encode()))
		decoder.UseNumber()
		if err := decoder.Decode(&got); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%q came out as %s, %v", data, root.encode(), err)
		}
	})
}

func mustParse(t *testing.T, text string) *object {
	t.Helper()
	o, err := parse([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func sameJSON(t *testing.T, a, b []byte) bool {
	t.Helper()
	var x, y any
	if err := errors.Join(json.Unmarshal(a, &x), json.Unmarshal(b, &y)); err != nil {
		t.Fatal(err)
	}
	return reflect.DeepEqual(x, y)
}
