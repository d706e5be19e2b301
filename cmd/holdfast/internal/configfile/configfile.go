// Package configfile reads holdfast.toml, in which a module sets the flags of
// the suite's analyzers:
//
//	[loopblock]
//	kinds = ["+stat"]
//	depth = 6
//	declare = ["(*example.com/db.Client).Do blocking kinds=net"]
//
// A section is an analyzer, a key one of its flags. The file is nothing but
// flags, so that the go command's cache knows what a result was made with.
package configfile

import (
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/BurntSushi/toml"
)

// Name is the name of the file, which lies at the root of a module or workspace.
const Name = "holdfast.toml"

// A Setting is the value of one flag.
type Setting struct {
	Flag  string // "loopblock.kinds"
	Value string // as on a command line
	Line  int    // 0 if unknown
}

// Sections are the flags of the analyzers, by the analyzers' names.
type Sections map[string]*flag.FlagSet

// Read returns the settings of a file in their order. A section or key that
// there is not is an error that names the nearest one.
func Read(path string, sections Sections) ([]Setting, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("reading the settings: %w", err)
	}
	settings, err := parse(path, string(data), sections)
	if err != nil {
		return nil, fmt.Errorf("reading the settings: %w", err)
	}
	return settings, nil
}

func parse(path, text string, sections Sections) ([]Setting, error) {
	var content map[string]any
	meta, err := toml.Decode(text, &content)
	var syntax toml.ParseError
	switch {
	case errors.As(err, &syntax):
		return nil, fmt.Errorf("%s:%d: %s", path, syntax.Position.Line, syntax.Message)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	r := reader{path, text, sections, content}
	var settings []Setting
	for _, key := range meta.Keys() {
		switch len(key) {
		case 1:
			err = r.checkSection(key)
		case 2:
			var setting Setting
			if setting, err = r.setting(key); err == nil {
				settings = append(settings, setting)
			}
		}
		if err != nil {
			return nil, err
		}
	}
	return settings, nil
}

// A reader knows the file and what it may say.
type reader struct {
	path, text string
	sections   Sections
	content    map[string]any
}

func (r *reader) checkSection(key toml.Key) error {
	name := key[0]
	names := slices.Sorted(maps.Keys(r.sections))
	if _, isTable := r.content[name].(map[string]any); !isTable {
		return r.errorf(key, "%s stands in no section: the sections are [%s]", name, strings.Join(names, "], ["))
	}
	if r.sections[name] == nil {
		return r.errorf(key, "there is no section [%s]: did you mean [%s]?", name, nearest(name, names))
	}
	return nil
}

func (r *reader) setting(key toml.Key) (Setting, error) {
	section, name := key[0], key[1]
	if r.sections[section] == nil {
		return Setting{}, r.checkSection(key[:1])
	}
	if r.sections[section].Lookup(name) == nil {
		var names []string
		r.sections[section].VisitAll(func(f *flag.Flag) { names = append(names, f.Name) })
		if names == nil {
			return Setting{}, r.errorf(key, "section [%s] has no keys", section)
		}
		return Setting{}, r.errorf(key, "section [%s] has no key %s: did you mean %s?", section, name, nearest(name, names))
	}
	value, ok := spell(name, r.content[section].(map[string]any)[name])
	if !ok {
		return Setting{}, r.errorf(key, "%s must be a string, a whole number, true or false, or a list of strings", name)
	}
	return Setting{section + "." + name, value, r.line(key)}, nil
}

// spell returns a value as a flag takes it.
func spell(key string, value any) (string, bool) {
	switch v := value.(type) {
	case string:
		return v, true
	case int64:
		return strconv.FormatInt(v, 10), true
	case bool:
		return strconv.FormatBool(v), true
	case []any:
		var words []string
		for _, element := range v {
			word, ok := element.(string)
			if !ok {
				return "", false
			}
			words = append(words, word)
		}
		return strings.Join(words, separator(key)), true
	}
	return "", false
}

// separator returns what stands between the elements of a flag's list.
func separator(key string) string {
	if key == "declare" { // a directive has commas of its own
		return ";"
	}
	return ","
}

func (r *reader) errorf(key toml.Key, format string, args ...any) error {
	place := r.path
	if line := r.line(key); line > 0 {
		place += ":" + strconv.Itoa(line)
	}
	return fmt.Errorf("%s: %s", place, fmt.Sprintf(format, args...))
}

// line returns where a key stands, or 0. Package toml tells positions in errors
// only, so the key's value is decoded into something that makes one.
func (r *reader) line(key toml.Key) int {
	var outer map[string]toml.Primitive
	meta, err := toml.Decode(r.text, &outer)
	if err != nil {
		return 0
	}
	value := outer[key[0]]
	if len(key) > 1 {
		var inner map[string]toml.Primitive
		if err := meta.PrimitiveDecode(value, &inner); err != nil {
			return 0
		}
		value = inner[key[1]]
	}
	var located toml.ParseError
	if errors.As(meta.PrimitiveDecode(value, new(locator)), &located) {
		return located.Position.Line
	}
	return 0
}

type locator struct{}

func (*locator) UnmarshalTOML(any) error { return errors.New("here") }
