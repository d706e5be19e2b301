package marker

import (
	"regexp"
	"strings"
	"unicode"
)

// leastWords is how many different words make a reason. Two are a label
// ("by design"), three start to say something.
const leastWords = 3

// link matches what a reader can follow: a URL, host/path, or owner/repo#number.
var link = regexp.MustCompile(`https?://[^\s/]+\S*|\b[\w-]+(\.[\w-]+)*\.[a-z]{2,}/\S+|\b[\w.-]+/[\w.-]+#\d+`)

// notYet opens a sentence that promises a reason instead of giving one.
var notYet = map[string]bool{"todo": true, "fixme": true, "xxx": true, "tbd": true, "hack": true}

// empty words say nothing about why; a reason has at least one other word.
var empty = wordSet(`
	a an and as at be by for in is it its now of on or so that the then there these this to we with
	above accept accepted acceptable allow allowed because below comment correct design desired doc docs
	expected fine fix good harmless here ignore ignored intended intentional intentionally just known later
	legacy lint linter marker n/a na necessary need needed needs no none nothing ok okay on purpose
	reason reasons really required safe said same see should still temporary temporarily test todo
	until want wanted why will wontfix work works yes
`)

func wordSet(text string) map[string]bool {
	set := make(map[string]bool)
	for word := range strings.FieldsSeq(text) {
		set[word] = true
	}
	return set
}

// Complaint says what is wrong with a reason, as the end of a sentence, or
// returns "" for a good one: at least three words that say something, or a link.
func Complaint(reason string) string {
	const advice = `: say why in at least three words or with a link`
	if link.MatchString(reason) {
		return ""
	}
	words := distinctWords(reason)
	switch {
	case len(words) == 0:
		return "has no reason" + advice
	case notYet[words[0]]:
		return "only promises a reason" + advice
	case allEmpty(words):
		return "has words that are no reason" + advice
	case len(words) < leastWords:
		return "has too short a reason" + advice
	}
	return ""
}

// distinctWords returns the words of a text in lower case, each once.
// Scripts that write no spaces count every letter as a word.
func distinctWords(text string) []string {
	var words []string
	seen := make(map[string]bool)
	for field := range strings.FieldsSeq(strings.ToLower(text)) {
		for _, word := range splitField(field) {
			if !seen[word] {
				seen[word] = true
				words = append(words, word)
			}
		}
	}
	return words
}

func splitField(field string) []string {
	word := strings.TrimFunc(field, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	if !strings.ContainsFunc(word, unicode.IsLetter) {
		return nil
	}
	if !strings.ContainsFunc(word, spaceless) {
		return []string{word}
	}
	var letters []string
	for _, r := range word {
		if spaceless(r) {
			letters = append(letters, string(r))
		}
	}
	return letters
}

func spaceless(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

func allEmpty(words []string) bool {
	for _, word := range words {
		if !empty[word] {
			return false
		}
	}
	return true
}
