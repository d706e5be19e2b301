package check

import (
	"slices"
	"testing"
)

func TestPlatforms(t *testing.T) {
	host := environment{GOOS: "linux", GOARCH: "riscv64", CgoEnabled: "1"}
	tests := []struct {
		list string
		want []string // name, what the go command is told
	}{
		{"linux", []string{"linux"}},
		{"linux,darwin,windows", []string{"linux", "darwin GOARCH=amd64", "windows GOARCH=amd64"}},
		{"freebsd", []string{"freebsd GOARCH=riscv64"}},
		{"linux/arm64", []string{"linux/arm64 GOARCH=arm64"}},
		{"linux, linux", []string{"linux"}},
	}
	for _, test := range tests {
		platforms, err := parsePlatforms(test.list, host, nil)
		if err != nil {
			t.Errorf("%s: %v", test.list, err)
			continue
		}
		var got []string
		for _, p := range platforms {
			text := p.String()
			if env := p.env(); env != nil {
				text += " " + env[1]
				if !slices.Contains(env, "CGO_ENABLED=0") || p.cgo {
					t.Errorf("%s: cgo is on", p)
				}
			} else if !p.cgo {
				t.Errorf("%s: cgo is off", p)
			}
			got = append(got, text)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q, want %q", test.list, got, test.want)
		}
	}
	for _, list := range []string{"", ",", "linux,", "linux/", "/amd64", "Linux", "linux;rm"} {
		if p, err := parsePlatforms(list, host, nil); err == nil {
			t.Errorf("%q was read as %v", list, p)
		}
	}
}

func TestGOFLAGS(t *testing.T) {
	env := environment{GOFLAGS: "-mod=mod '-tags=a,b' --overlay=o.json -tags=c"}
	for name, want := range map[string]string{"tags": "c", "overlay": "o.json", "mod": "mod", "race": ""} {
		if got := env.flagOf(name); got != want {
			t.Errorf("-%s is %q, want %q", name, got, want)
		}
	}
}

func TestProblemsOfSeveralPlatformsAreToldOnce(t *testing.T) {
	got := describe([]Problem{
		{"linux", "m/p", "p.go:1:1: undefined: x", ""},
		{"windows", "m/p", "p.go:1:1: undefined: x", "hint for windows"},
		{"windows", "m/q", "one\ntwo", "hint for windows"},
	})
	want := []string{
		"m/p on linux, windows: p.go:1:1: undefined: x",
		"m/q on windows:\n\tone\n\ttwo\n\thint for windows",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %q\nwant %q", got, want)
	}
}
