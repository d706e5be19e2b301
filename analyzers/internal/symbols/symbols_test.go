package symbols

import (
	"slices"
	"testing"
)

func TestPathDropsMajorVersions(t *testing.T) {
	for path, want := range map[string]string{
		"os":                                       "os",
		"github.com/a/b":                           "github.com/a/b",
		"github.com/a/b/v2":                        "github.com/a/b",
		"github.com/a/b/v12/c":                     "github.com/a/b/c",
		"gopkg.in/a/b.v3":                          "gopkg.in/a/b",
		"gopkg.in/a/b.v3/c/v2":                     "gopkg.in/a/b/c",
		"github.com/a/b/v2ray":                     "github.com/a/b/v2ray",
		"github.com/aws/aws-sdk-go-v2/service":     "github.com/aws/aws-sdk-go-v2/service",
		"example.org/app/vendor/github.com/a/b/v2": "github.com/a/b",
		"":        "",
		"v":       "v",
		"a/v1/v2": "a",
	} {
		if got := Path(path); got != want {
			t.Errorf("Path(%q) = %q, want %q", path, got, want)
		}
	}
}

func TestExpandReadsBraces(t *testing.T) {
	for list, want := range map[string][]string{
		"":                       nil,
		" Open\n\tClose ":        {"Open", "Close"},
		"File.{Read,Write} Open": {"File.Read", "File.Write", "Open"},
		"{Print,Fatal}{,f,ln}":   {"Print", "Printf", "Println", "Fatal", "Fatalf", "Fatalln"},
		"{A,B}.{Go,Wait}":        {"A.Go", "A.Wait", "B.Go", "B.Wait"},
		"IdleAdd:0":              {"IdleAdd:0"},
	} {
		if got := Expand(list); !slices.Equal(got, want) {
			t.Errorf("Expand(%q) = %q, want %q", list, got, want)
		}
	}
}
