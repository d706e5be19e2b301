package protocol

import (
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"strings"
)

// Path returns the clean absolute path of a file URI.
func Path(uri string) (string, error) {
	u, err := url.Parse(uri)
	if err != nil {
		return "", fmt.Errorf("reading a document's address: %w", err)
	}
	if u.Scheme != "file" || u.Path == "" {
		return "", fmt.Errorf("%s is no file", uri)
	}
	path := u.Path
	if runtime.GOOS == "windows" {
		path = strings.TrimPrefix(path, "/") // of /C:/…
		if u.Host != "" {
			path = "//" + u.Host + u.Path
		}
	}
	return filepath.Clean(filepath.FromSlash(path)), nil
}

// URI returns the file URI of an absolute path.
func URI(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}
