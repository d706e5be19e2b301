//go:build unix

package supervise

import (
	_ "embed"
	"strings"
)

//go:embed supervisor.sh
var source string

// script is the supervisor as it is handed to the shell: without comments,
// since it stays in the environment of the process for as long as that lives.
var script = withoutComments(source)

func withoutComments(source string) string {
	var kept strings.Builder
	for line := range strings.Lines(source) {
		text := strings.TrimLeft(line, " \t")
		if text == "\n" || strings.HasPrefix(text, "#") {
			continue
		}
		kept.WriteString(text)
	}
	return kept.String()
}
