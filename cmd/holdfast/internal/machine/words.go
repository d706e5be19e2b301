package machine

import (
	"fmt"
	"strings"
	"time"
	"unicode"
)

// Age returns how long something has lasted, in its two largest units at most.
func Age(d time.Duration) string {
	switch {
	case d < 0:
		return "0s"
	case d < time.Minute:
		return fmt.Sprintf("%ds", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%dm", int(d.Minutes()))
	case d < 24*time.Hour:
		return fmt.Sprintf("%dh%dm", int(d.Hours()), int(d.Minutes())%60)
	}
	return fmt.Sprintf("%dd%dh", int(d.Hours())/24, int(d.Hours())%24)
}

// maxLine is how much of a command line a line of output has room for.
const maxLine = 100

// CommandLine returns the words of a command as one printable line. Whatever a
// process put into its command line, the terminal gets letters.
func CommandLine(words []string) string {
	var b strings.Builder
	for i, word := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		if word == "" {
			b.WriteString("''")
		}
		b.WriteString(Printable(word))
		if b.Len() > maxLine {
			break
		}
	}
	line := []rune(b.String())
	if len(line) > maxLine {
		return string(line[:maxLine-1]) + "…"
	}
	return string(line)
}

// Printable returns the text with everything that could move a terminal's
// cursor, or hide text, replaced.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return '�'
	}, text)
}
