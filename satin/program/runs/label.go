package runs

import (
	"cmp"
	"strings"
	"unicode"
	"unicode/utf8"

	"satingrid/satin"
)

// Label is what a run is called among others of its grid: its application and its input. What
// cannot be printed is a question mark there, and what is too long is cut.
func Label(app, input string) string {
	text := strings.Map(func(c rune) rune {
		if !unicode.IsPrint(c) || c == utf8.RuneError {
			return '?'
		}
		return c
	}, app+" "+input)
	return cutBytes(text, labelMax)
}

const (
	labelMax = 200 // bytes, as satin.Label has them
	cutMark  = "…" // is at the end of what was cut
)

// cutBytes is the beginning of a text that has too many bytes.
func cutBytes(text string, most int) string {
	if len(text) <= most {
		return text
	}
	text = text[:most-len(cutMark)]
	for !utf8.ValidString(text) { // the last letter was cut in two
		text = text[:len(text)-1]
	}
	return text + cutMark
}

// Cut is the beginning of a text that has more letters than there are columns for it.
func Cut(text string, columns int) string {
	if utf8.RuneCountInString(text) <= columns {
		return text
	}
	return string([]rune(text)[:columns-1]) + cutMark
}

// Called is the application and the input of a run: as its label has them, or by its task where it
// has no label. appOf tells which application a task is the root of; "": none.
func Called(r satin.RunStats, appOf func(task string) string) (app, input string) {
	app, input, _ = strings.Cut(r.Label, " ")
	return cmp.Or(app, appOf(r.Task), r.Task), input
}
