package ledger

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/holdfast-go/holdfast/runtime/procid"
)

// DirVariable is the environment variable that names the directory of the
// ledger, before everything else.
const DirVariable = "HOLDFAST_LEDGER_DIR"

// Dir returns the directory that an empty one stands for: the value of
// [DirVariable], or holdfast/ledger below $XDG_STATE_HOME, which is
// ~/.local/state if it is not set (%LocalAppData% on Windows). It need not
// exist. The error says that the user has no home directory.
func Dir() (string, error) {
	if dir := os.Getenv(DirVariable); dir != "" {
		return filepath.Abs(dir)
	}
	state, err := stateHome()
	if err != nil {
		return "", fmt.Errorf("finding the directory of the ledger: %w", err)
	}
	return filepath.Join(state, "holdfast", "ledger"), nil
}

func stateHome() (string, error) {
	if runtime.GOOS == "windows" {
		return os.UserCacheDir() // %LocalAppData%
	}
	// The XDG Base Directory Specification has relative paths ignored.
	if dir := os.Getenv("XDG_STATE_HOME"); filepath.IsAbs(dir) {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return filepath.Join(home, ".local", "state"), nil
}

func orDefault(dir string) (string, error) {
	if dir == "" {
		return Dir()
	}
	return filepath.Abs(dir)
}

const (
	extension = ".jsonl"
	// newSuffix is added to the name of a file that will replace another.
	newSuffix = ".new"
)

// fileName is the owner's file: "<boot>.<pid>.<start>.jsonl". It takes only an
// owner that its name leads back to.
func fileName(owner procid.Identity) (string, error) {
	if _, err := procid.Parse(owner.String()); err != nil {
		return "", errors.New("the owner has no identity")
	}
	return strings.ReplaceAll(owner.String(), ":", ".") + extension, nil
}

// parseFileName returns whose file it is.
func parseFileName(name string) (procid.Identity, error) {
	parts := strings.Split(strings.TrimSuffix(name, extension), ".")
	if len(parts) != 3 {
		return procid.Identity{}, errors.New("the name of the file is that of no owner: " + strconv.Quote(name))
	}
	return procid.Parse(strings.Join(parts, ":"))
}
