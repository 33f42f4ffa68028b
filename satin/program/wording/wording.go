// Package wording has what sentences for a person are made of.
package wording

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/xrash/smetrics"
)

// List joins words as a sentence does.
func List(words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:len(words)-1], ", ") + " and " + words[len(words)-1]
}

// Some is List of many words: it names the first, and tells how many others there are.
func Some(words []string, most int) string {
	if more := len(words) - most; more > 0 {
		words = append(words[:most:most], Count(more, "other"))
	}
	return List(words)
}

// There tells which there are, some of many: there is one, there are one and another.
func There(words []string, most int) string {
	if len(words) == 1 {
		return "there is " + words[0]
	}
	return "there are " + Some(words, most)
}

// Count is a number of things: 1 peer, 2 peers.
func Count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// Dashed is a flag as it is typed.
func Dashed(flag string) string {
	if len(flag) == 1 {
		return "-" + flag
	}
	return "--" + flag
}

// LastLine is the last line that says something.
func LastLine(text string) string {
	text = strings.TrimSpace(text)
	return strings.TrimSpace(text[strings.LastIndexByte(text, '\n')+1:])
}

// editsMax is how many wrong letters still make a suggestion. Of a word of up to shortMax letters
// with two others little is left: it must be as long.
const editsMax, shortMax = 2, 4

// Nearest finds the word that was probably meant.
func Nearest(word string, among []string) (string, bool) {
	best, edits := "", min(editsMax, (len(word)+1)/2)+1
	for _, candidate := range among {
		n := smetrics.WagnerFischer(word, candidate, 1, 1, 1)
		if areSwapped(word, candidate) {
			n = 1
		}
		isShort := len(word) <= shortMax && len(word) != len(candidate)
		if n < edits && !(isShort && n > 1) {
			best, edits = candidate, n
		}
	}
	return best, best != ""
}

// areSwapped tells whether two words differ in the order of two neighbours alone.
func areSwapped(a, b string) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range len(a) - 1 {
		if a[i] != b[i] {
			return a[i] == b[i+1] && a[i+1] == b[i] && a[i+2:] == b[i+2:]
		}
	}
	return false
}

// Bare is an error of the file system without the name of the call that failed: "x.obj: no such
// file or directory".
func Bare(err error) error {
	var e *fs.PathError
	if errors.As(err, &e) {
		return fmt.Errorf("%s: %w", e.Path, e.Err)
	}
	return err
}

// Duration is a duration as one types it: 24h, and not 24h0m0s.
func Duration(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"m0s", "h0m"} {
		if strings.HasSuffix(text, zero) {
			text = text[:len(text)-2]
		}
	}
	return text
}
