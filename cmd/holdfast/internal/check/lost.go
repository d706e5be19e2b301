package check

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/govet"
)

// findLost makes sure that every package that was asked for was judged. The go
// command can lose what the tool printed, and would call that "no findings":
// when its cache was trimmed or restored in part.
func (j *judge) findLost(ctx context.Context, v *view, result *govet.Result, listed map[string]string, patterns []string) error {
	missing, err := j.missing(ctx, v, result, listed, patterns)
	if err != nil || len(missing) == 0 {
		return err
	}
	if v.failed {
		j.reportUnjudged(v, missing)
		return nil
	}
	again, err := j.vet(ctx, v.platform, missing, strconv.FormatInt(time.Now().UnixNano(), 36))
	if err != nil {
		return err
	}
	j.take(v, again, listed)
	missing, err = j.missing(ctx, v, again, listed, patterns)
	for _, path := range missing {
		j.problems = append(j.problems, Problem{v.platform.String(), path, "go vet did not run the suite on this package, and did not say why", ""})
	}
	return err
}

// missing returns the import paths of packages that were asked for, are built
// on the platform, and have no result.
func (j *judge) missing(ctx context.Context, v *view, result *govet.Result, listed map[string]string, patterns []string) ([]string, error) {
	if listed == nil && !j.suspicious(v) {
		return nil, nil
	}
	if listed == nil {
		var err error
		if listed, err = j.list(ctx, v.platform, patterns); err != nil {
			return nil, err
		}
	}
	var missing []string
	for id, dir := range listed {
		tested, isTest := strings.CutSuffix(id, "_test")
		if isTest && listed[tested] == dir {
			if !j.Tests || result.Packages[id] {
				continue
			}
			id = tested
		} else if v.dirs[dir] {
			continue
		}
		missing = append(missing, id)
	}
	slices.Sort(missing)
	return slices.Compact(missing), nil
}

// suspicious reports whether there is a folder with files for the platform of
// which nothing was heard.
func (j *judge) suspicious(v *view) bool {
	for dir := range j.scope.dirs {
		if !v.dirs[dir] && j.builds(v.platform, dir) {
			return true
		}
	}
	return false
}

// reportUnjudged names what was not judged because something else failed.
func (j *judge) reportUnjudged(v *view, missing []string) {
	missing = slices.DeleteFunc(missing, func(path string) bool {
		return slices.ContainsFunc(j.problems, func(p Problem) bool {
			return p.Platform == v.platform.String() && p.Package == path
		})
	})
	if len(missing) == 0 {
		return
	}
	const most = 5
	list := strings.Join(missing[:min(most, len(missing))], ", ")
	if more := len(missing) - most; more > 0 {
		list += fmt.Sprintf(" and %d more", more)
	}
	j.problems = append(j.problems, Problem{v.platform.String(), list, "something that it needs failed (see above)", ""})
}
