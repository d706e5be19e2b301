package unit

import (
	"strconv"
	"strings"
)

// ParsePosition splits "file:line:column". The column, or both numbers, may be
// missing and are then 0. A file name may contain colons.
func ParsePosition(text string) (file string, line, column int) {
	head, last, ok := cutNumber(text)
	if !ok {
		return text, 0, 0
	}
	if file, line, ok := cutNumber(head); ok {
		return file, line, last
	}
	return head, last, 0
}

func cutNumber(text string) (head string, n int, ok bool) {
	i := strings.LastIndexByte(text, ':')
	if i < 0 {
		return text, 0, false
	}
	n, err := strconv.Atoi(text[i+1:])
	if err != nil || n <= 0 {
		return text, 0, false
	}
	return text[:i], n, true
}
