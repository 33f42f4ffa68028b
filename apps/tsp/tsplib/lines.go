package tsplib

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Error is what is wrong with a file, where, and what is expected.
type Error struct {
	File string
	Line int
	What string
}

func (e *Error) Error() string { return fmt.Sprintf("%s:%d: %s", e.File, e.Line, e.What) }

// lines hands out a file's lines and words.
type lines struct {
	file  string
	line  int // of the words below
	in    *bufio.Scanner
	words []string // of the current line, not yet taken
}

func newLines(r io.Reader, file string) *lines {
	in := bufio.NewScanner(r)
	in.Buffer(make([]byte, 0, 4096), lineMax)
	return &lines{file: file, in: in}
}

// next returns the next line that is not blank, without space at its ends; ok is false at
// the end of the file.
func (l *lines) next() (text string, ok bool, err error) {
	for l.in.Scan() {
		l.line++
		if text = strings.TrimSpace(l.in.Text()); text != "" {
			return text, true, nil
		}
	}
	switch err := l.in.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		l.line++
		return "", false, l.errorf("the line is longer than %d bytes; a text file in the format of TSPLIB95 is expected", lineMax)
	case err != nil:
		l.line++
		return "", false, l.errorf("%v", err)
	}
	return "", false, nil
}

// word returns the next word, on whichever line it stands; what says what is expected of it.
func (l *lines) word(what string) (string, error) {
	for len(l.words) == 0 {
		text, ok, err := l.next()
		if err != nil {
			return "", err
		}
		if !ok {
			return "", l.errorf("the file ends here, %s is expected", what)
		}
		l.words = strings.Fields(text)
	}
	w := l.words[0]
	l.words = l.words[1:]
	return w, nil
}

// closed says what is wrong when words of the current line are left after a section.
func (l *lines) closed(section string) error {
	if len(l.words) > 0 {
		return l.errorf("%s is complete before %s, the end of the line is expected", section, quote(l.words[0]))
	}
	return nil
}

func (l *lines) errorf(format string, args ...any) error {
	return &Error{l.file, max(l.line, 1), fmt.Sprintf(format, args...)}
}

// quote shows a word of a file, cut where it is long.
func quote(word string) string {
	const shown = 40
	if len(word) > shown {
		return fmt.Sprintf("%q…", word[:shown])
	}
	return fmt.Sprintf("%q", word)
}

// entry splits a line of the header at its colon: "KEY : value", "KEY: value", "KEY:value",
// "SECTION:", "SECTION".
func entry(line string) (key, value string) {
	key, value, _ = strings.Cut(line, ":")
	return strings.ToUpper(strings.TrimSpace(key)), strings.TrimSpace(value)
}
