package schedule

import (
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"strings"
)

// What changes from one answer to the next without anything having happened:
// dates, times of day and how long things took.
var passing = regexp.MustCompile(strings.Join([]string{
	`\d{4}-\d{2}-\d{2}(?:[t ]\d{2}:\d{2}(?::\d{2})?(?:[.,]\d+)?)?\s*(?:z\b|[+-]\d{2}:?\d{2}\b|utc\b|gmt\b)?`,
	`\d{1,2}[./]\d{1,2}[./]\d{2,4}`,
	`\b(?:mon|tues?|wed(?:nes)?|thu(?:rs)?|fri|sat(?:ur)?|sun)(?:day)?\b,?`,
	`\b(?:\d{1,2}(?:st|nd|rd|th)?\s+)?(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?\s+\d{1,4}(?:st|nd|rd|th)?(?:,?\s+\d{4})?\b`,
	`\b\d{1,2}:\d{2}(?::\d{2})?(?:[.,]\d+)?(?:\s*[ap]\.?m\b\.?)?(?:\s*(?:z|utc|gmt)\b)?`,
	`\b\d{1,2}\s*[ap]\.?m\b\.?`,
	`\b\d+(?:\.\d+)?\s*(?:ns|[uµμ]s|ms|milliseconds?|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?|d|days?|w|weeks?)\b(?:(?:\s*,?\s*(?:and\s+)?)\d+(?:\.\d+)?\s*(?:ms|s|secs?|seconds?|m|mins?|minutes?|h|hrs?|hours?)\b)*`,
	`(?:\d+(?:\.\d+)?(?:h|m|s|ms))+\b`,
}, "|"))

// digest names what an answer says. Two answers that differ in times, durations,
// case or white space only have the same digest.
func digest(answer string) string {
	text := passing.ReplaceAllString(strings.ToLower(answer), " ")
	text = strings.Join(strings.Fields(text), " ")
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
