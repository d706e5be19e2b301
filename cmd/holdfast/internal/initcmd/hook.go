package initcmd

import (
	"bytes"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// hookFile is the path of pre-commit's configuration below the repository.
const hookFile = ".pre-commit-config.yaml"

// proposeHook adds a hook to pre-commit's configuration.
func (p *project) proposeHook() (proposal, error) {
	if p.repo == "" {
		return proposal{file: p.root, note: "is in no git working tree, so there is nothing to add for pre-commit"}, nil
	}
	path := filepath.Join(p.repo, hookFile)
	before, err := read(path)
	if err != nil {
		return proposal{}, fmt.Errorf("reading pre-commit's configuration: %w", err)
	}
	if before == nil {
		return proposal{file: path, after: []byte("repos:\n" + p.hookEntry("  "))}, nil
	}
	if bytes.Contains(before, []byte("holdfast")) {
		return proposal{file: path, note: "has holdfast"}, nil
	}
	after, err := appendHook(before, p.hookEntry)
	if err != nil {
		return proposal{file: path, note: fmt.Sprintf("left alone, as %v; add to its repos", err), add: p.hookEntry("  ")}, nil
	}
	return proposal{file: path, before: before, after: after}, nil
}

// hookEntry is an element of "repos", indented.
func (p *project) hookEntry(indent string) string {
	return indent + "- repo: https://" + modulePath + "\n" +
		indent + "  rev: " + p.ref + "\n" +
		indent + "  hooks:\n" +
		indent + "    - id: holdfast\n"
}

// appendHook adds an element to the list "repos" of a YAML text, and leaves every
// byte that is there. It returns an error if the result would mean anything else
// than the old text with the element.
func appendHook(text []byte, entry func(indent string) string) ([]byte, error) {
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		return nil, fmt.Errorf("it is not valid YAML (%v)", err)
	}
	repos, next := findRepos(&document)
	if repos == nil || repos.Style&yaml.FlowStyle != 0 || len(repos.Content) == 0 {
		return nil, fmt.Errorf("its list of repos is not one that lines can be added to")
	}
	lines := strings.SplitAfter(string(text), "\n")
	at := len(lines)
	if next > 0 {
		at = next - 1 // the first line of the next key
	}
	for at > 0 && isFiller(lines[at-1], next > 0) {
		at--
	}
	element := entry(strings.Repeat(" ", repos.Column-1))
	if at > 0 && !strings.HasSuffix(lines[at-1], "\n") {
		lines[at-1] += "\n"
	}
	if bytes.Contains(text, []byte("\r\n")) {
		element = strings.ReplaceAll(element, "\n", "\r\n")
	}
	after := []byte(strings.Join(slices.Insert(lines, at, element), ""))
	if !addsOne(text, after, entry("")) {
		return nil, fmt.Errorf("a line added there would change what it means")
	}
	return after, nil
}

// findRepos returns the value of the key "repos", and the line on which the key
// after it starts: 0 if it is the last.
func findRepos(document *yaml.Node) (repos *yaml.Node, next int) {
	if len(document.Content) != 1 || document.Content[0].Kind != yaml.MappingNode {
		return nil, 0
	}
	pairs := document.Content[0].Content
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i].Value != "repos" || pairs[i+1].Kind != yaml.SequenceNode {
			continue
		}
		if i+2 < len(pairs) {
			next = pairs[i+2].Line
		}
		return pairs[i+1], next
	}
	return nil, 0
}

// isFiller knows the lines between two keys: blank ones, and comments on what
// comes after.
func isFiller(line string, beforeKey bool) bool {
	return strings.TrimSpace(line) == "" || beforeKey && strings.HasPrefix(line, "#")
}

// addsOne reports whether a text means the old one with one element more.
func addsOne(before, after []byte, element string) bool {
	var old, now map[string]any
	var added []any
	if yaml.Unmarshal(before, &old) != nil || yaml.Unmarshal(after, &now) != nil || yaml.Unmarshal([]byte(element), &added) != nil {
		return false
	}
	list, ok := old["repos"].([]any)
	if !ok {
		return false
	}
	old["repos"] = append(slices.Clone(list), added...)
	return reflect.DeepEqual(old, now)
}
