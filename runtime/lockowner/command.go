package lockowner

import (
	"strconv"
	"strings"
	"unicode"
)

const (
	maxWords   = 10
	maxCommand = 1 << 10
)

// commandLine joins the words of a command line for a log: a word that holds
// anything else than visible characters is quoted, so that a process cannot
// write lines of its own into it.
func commandLine(words []string) string {
	more := len(words) > maxWords
	if more {
		words = words[:maxWords]
	}
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = quoteWord(word)
	}
	line := strings.Join(quoted, " ")
	if len(line) > maxCommand {
		line, more = strings.ToValidUTF8(line[:maxCommand], ""), true
	}
	if more {
		line += " ..."
	}
	return line
}

func quoteWord(word string) string {
	plain := word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return r == '"' || r == unicode.ReplacementChar || !unicode.IsGraphic(r) || unicode.IsSpace(r)
	})
	if plain {
		return word
	}
	return strconv.Quote(word)
}
