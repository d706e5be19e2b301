package report

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/holdfast-go/holdfast/analyzers/rules"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/finding"
	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/ratchet"
)

func TestSARIFValidatesAgainstTheSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	full, o := golden(t)
	reports := map[string]*Report{
		"full":  full,
		"empty": {Platforms: []string{"linux"}},
		"without positions": {New: []*finding.Finding{
			{Category: "detached-spawn", Message: "m", File: filepath.Join(o.Root, "missing.go"), Line: 3, Col: 7, K: 1,
				Fixes: []finding.Fix{{Message: "m", Edits: []finding.Edit{{File: filepath.Join(o.Root, "missing.go"), Start: 1, End: 2}}}}},
			{Category: "marker", Message: "m", File: filepath.Join(o.Root, "proc", "unix.go"), K: 1},
			{Category: "marker", Message: "m", File: filepath.Join(t.TempDir(), "elsewhere.go"), Line: 1, K: 1},
		}},
	}
	for name, r := range reports {
		t.Run(name, func(t *testing.T) {
			text := written(t, SARIF, r, o)
			document, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
			if err != nil {
				t.Fatal(err)
			}
			if err := schema.Validate(document); err != nil {
				t.Errorf("%v\n%s", err, text)
			}
		})
	}
}

func TestTheSchemaRefusesWhatIsNotSARIF(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile(filepath.Join("testdata", "sarif-schema-2.1.0.json"))
	if err != nil {
		t.Fatal(err)
	}
	r, o := golden(t)
	good := written(t, SARIF, r, o)
	for _, change := range [][2]string{{`"level": "error"`, `"level": "bad"`}, {`"startLine": 4`, `"startLine": 0`}, {`"ruleId"`, `"rule"`}} {
		document, err := jsonschema.UnmarshalJSON(strings.NewReader(strings.Replace(good, change[0], change[1], 1)))
		if err != nil {
			t.Fatal(err)
		}
		if schema.Validate(document) == nil {
			t.Errorf("%s passes as SARIF", change[1])
		}
	}
}

func TestSARIFRulesCarryTheirPages(t *testing.T) {
	var log sarifLog
	if err := json.Unmarshal([]byte(written(t, SARIF, &Report{}, Options{Root: "/nowhere"})), &log); err != nil {
		t.Fatal(err)
	}
	got := log.Runs[0].Tool.Driver.Rules
	for i, rule := range rules.All() {
		if got[i].ID != rule.ID || got[i].Help == nil || got[i].Help.Markdown != rule.Markdown || got[i].Help.Text != rule.Text || got[i].HelpURI != rule.HelpURI {
			t.Errorf("rule %d is %+v, want the page of %s", i, got[i], rule.ID)
		}
	}
}

func TestSARIFFingerprintsAreTheRatchetsKeys(t *testing.T) {
	r, o := golden(t)
	var log sarifLog
	if err := json.Unmarshal([]byte(written(t, SARIF, r, o)), &log); err != nil {
		t.Fatal(err)
	}
	seen := make(map[string]bool)
	for _, result := range log.Runs[0].Results {
		seen[result.PartialFingerprints[fingerprint]] = true
	}
	for _, f := range r.New {
		if key := ratchet.KeyOf(f).String(); !seen[key] {
			t.Errorf("no result has the key %s", key)
		}
	}
}
