package finding

import "testing"

func TestPositionNamesOnlyWhatIsKnown(t *testing.T) {
	tests := []struct {
		finding Finding
		want    string
	}{
		{Finding{File: "/m/a.go", Line: 3, Col: 7}, "/m/a.go:3:7"},
		{Finding{File: "/m/a.go", Line: 3}, "/m/a.go:3"},
		{Finding{File: "/m/a.go"}, "/m/a.go"},
	}
	for _, test := range tests {
		if got := test.finding.Position(); got != test.want {
			t.Errorf("Position of %+v = %q, want %q", test.finding, got, test.want)
		}
	}
}

func TestSortOrdersByPlaceThenRuleThenText(t *testing.T) {
	want := []*Finding{
		{File: "a.go", Line: 2, Col: 1},
		{File: "a.go", Line: 10, Col: 2, Category: "detached-spawn", Message: "a"},
		{File: "a.go", Line: 10, Col: 2, Category: "detached-spawn", Message: "b"},
		{File: "a.go", Line: 10, Col: 2, Category: "marker"},
		{File: "a.go", Line: 10, Col: 11},
		{File: "b.go", Line: 1, Col: 1},
	}
	got := []*Finding{want[5], want[3], want[4], want[2], want[0], want[1]}
	Sort(got)
	for i := range want {
		if got[i] != want[i] {
			t.Errorf("place %d: got %+v, want %+v", i, got[i], want[i])
		}
	}
}
