package digestgate_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"

	"github.com/holdfast-go/holdfast/runtime/digestgate"
)

func Example() {
	root, err := os.MkdirTemp("", "project")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(root)
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(root, name), []byte(content), 0o600); err != nil {
			fmt.Println(err)
		}
	}

	gate := digestgate.New(filepath.Join(root, "state"))
	step := digestgate.Step{
		Name:    "npm ci",
		Dir:     root,
		Files:   []string{"package.json", "package-lock.json"},
		Globs:   []string{"packages/*/package.json"},
		Project: whatNpmInstalls,
		Outputs: []string{"node_modules"},
	}
	install := func(context.Context) error { return os.MkdirAll(filepath.Join(root, "node_modules"), 0o700) }
	start := func() {
		decision, err := gate.Run(context.Background(), step, install)
		fmt.Println(decision.Run, decision.Reason, err)
	}

	write("package.json", `{"dependencies": {"ink": "6"}}`)
	start()
	write("package.json", `{"//": "a comment", "scripts": {"lint": "eslint"}, "dependencies": {"ink": "6"}}`)
	start()
	write("package.json", `{"scripts": {"postinstall": "patch"}, "dependencies": {"ink": "6"}}`)
	start()
	// Output:
	// true it has not run before <nil>
	// false nothing has changed <nil>
	// true file package.json has changed <nil>
}

// whatNpmInstalls keeps the fields of a manifest that an install depends on,
// among them those scripts that it runs.
func whatNpmInstalls(name string, content []byte) ([]byte, error) {
	if path.Base(name) != "package.json" {
		return content, nil
	}
	var manifest struct {
		Dependencies         json.RawMessage `json:"dependencies,omitempty"`
		DevDependencies      json.RawMessage `json:"devDependencies,omitempty"`
		OptionalDependencies json.RawMessage `json:"optionalDependencies,omitempty"`
		PeerDependencies     json.RawMessage `json:"peerDependencies,omitempty"`
		Overrides            json.RawMessage `json:"overrides,omitempty"`
		Workspaces           json.RawMessage `json:"workspaces,omitempty"`
		Scripts              struct {
			Preinstall  string `json:"preinstall,omitempty"`
			Install     string `json:"install,omitempty"`
			Postinstall string `json:"postinstall,omitempty"`
			Prepare     string `json:"prepare,omitempty"`
		} `json:"scripts"`
	}
	if err := json.Unmarshal(content, &manifest); err != nil {
		return nil, err
	}
	return json.Marshal(manifest)
}
