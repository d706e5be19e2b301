package check

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/holdfast-go/holdfast/cmd/holdfast/internal/configfile"
)

// noConfig is the value of -config that reads no settings file.
const noConfig = "none"

// readConfig sets the flags of analyzers that the settings file names and the
// command line does not.
func (s *Settings) readConfig(dir, root string) error {
	if s.config == noConfig {
		return nil
	}
	path := s.configFile(dir, root)
	sections := make(configfile.Sections)
	for _, rule := range s.suite.Rules {
		sections[rule.Analyzer.Name] = &rule.Analyzer.Flags
	}
	settings, err := configfile.Read(path, sections)
	if s.config == "" && errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, setting := range settings {
		if s.given[setting.Flag] {
			continue
		}
		if err := s.set[setting.Flag](setting.Value); err != nil {
			return fmt.Errorf("reading the settings: %s:%d: %s: %w", path, setting.Line, setting.Flag, err)
		}
	}
	return nil
}

// configFile returns the path of the settings file, or "" if none is to be read.
func (s *Settings) configFile(dir, root string) string {
	switch {
	case s.config == noConfig:
		return ""
	case s.config == "":
		return filepath.Join(root, configfile.Name)
	}
	return s.configBelow(dir)
}

// configBelow returns -config as it is meant in a working directory.
func (s *Settings) configBelow(dir string) string {
	if s.config == "" || s.config == noConfig || filepath.IsAbs(s.config) {
		return s.config
	}
	return filepath.Join(dir, s.config)
}
