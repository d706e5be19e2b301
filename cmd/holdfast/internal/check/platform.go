package check

import (
	"fmt"
	"go/build"
	"io"
	"os"
	"runtime"
	"slices"
	"strings"
)

// DefaultPlatforms are judged when nobody says otherwise. Of 102 detaching
// places in 32 public repositories, 31 are invisible to a Linux build.
const DefaultPlatforms = "linux,darwin,windows"

// A Platform is one target of the build.
type Platform struct {
	GOOS, GOARCH string

	name   string // as the user wrote it
	native bool   // what the go command builds for anyway
	cgo    bool
	tags   []string

	replaced replaced // text to look at instead of files
}

// String returns the platform as the user wrote it: GOOS or GOOS/GOARCH.
func (p Platform) String() string { return p.name }

// parsePlatforms reads a comma-separated list of GOOS or GOOS/GOARCH.
func parsePlatforms(list string, env environment, tags []string) ([]Platform, error) {
	var platforms []Platform
	for name := range strings.SplitSeq(list, ",") {
		name = strings.TrimSpace(name)
		goos, goarch, hasArch := strings.Cut(name, "/")
		if !isWord(goos) || hasArch && !isWord(goarch) {
			return nil, fmt.Errorf("-platforms=%s: %q is no platform: want GOOS or GOOS/GOARCH, such as %s", list, name, DefaultPlatforms)
		}
		if slices.ContainsFunc(platforms, func(p Platform) bool { return p.name == name }) {
			continue
		}
		if !hasArch {
			goarch = defaultArch(goos, env.GOARCH)
		}
		p := Platform{GOOS: goos, GOARCH: goarch, name: name, tags: tags}
		p.native = goos == env.GOOS && goarch == env.GOARCH
		p.cgo = p.native && env.CgoEnabled == "1"
		platforms = append(platforms, p)
	}
	return platforms, nil
}

func isWord(s string) bool {
	return s != "" && strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789") == ""
}

// defaultArch keeps the user's architecture where the system runs on it.
func defaultArch(goos, goarch string) string {
	supported := map[string][]string{
		"darwin":  {"amd64", "arm64"},
		"windows": {"amd64", "arm64", "386"},
	}
	if list, ok := supported[goos]; ok && !slices.Contains(list, goarch) {
		return "amd64"
	}
	return goarch
}

// env returns what the go command must see. For another platform than its own
// cgo is off, as there is no C compiler for it.
func (p Platform) env() []string {
	if p.native {
		return nil
	}
	return []string{"GOOS=" + p.GOOS, "GOARCH=" + p.GOARCH, "CGO_ENABLED=0"}
}

// context returns the go/build view of the platform.
func (p Platform) context() build.Context {
	ctx := build.Default
	ctx.GOOS, ctx.GOARCH, ctx.CgoEnabled, ctx.BuildTags = p.GOOS, p.GOARCH, p.cgo, p.tags
	ctx.Compiler = "gc"
	ctx.OpenFile = func(name string) (io.ReadCloser, error) { return os.Open(p.replaced.actual(name)) }
	return ctx
}

// hint says what to do about a package that does not compile for the platform.
func (p Platform) hint(all []Platform) string {
	var others []string
	for _, other := range all {
		if other.name != p.name {
			others = append(others, other.name)
		}
	}
	if p.native {
		return ""
	}
	hint := fmt.Sprintf("It was built for %s from %s/%s without cgo.", p, runtime.GOOS, runtime.GOARCH)
	if len(others) > 0 {
		hint += fmt.Sprintf(" If it is not meant for %s, say so: holdfast check -platforms=%s", p, strings.Join(others, ","))
	}
	return hint
}
