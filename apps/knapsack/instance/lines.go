package instance

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// lineMax bounds a line, in bytes: what is packed of half a million items fits.
const lineMax = 1 << 20

// lines are the lines of a file that are not blank.
type lines struct {
	file string
	scan *bufio.Scanner
	at   int // the number of the line that was read last
}

func newLines(r io.Reader, file string) *lines {
	l := &lines{file: file, scan: bufio.NewScanner(r)}
	l.scan.Buffer(nil, lineMax)
	return l
}

// next returns the next line that is not blank; ok is false at the end.
func (l *lines) next() (text string, ok bool, err error) {
	for l.scan.Scan() {
		l.at++
		if text = strings.TrimSpace(l.scan.Text()); text != "" {
			return text, true, nil
		}
	}
	if err := l.scan.Err(); errors.Is(err, bufio.ErrTooLong) {
		l.at++
		return "", false, l.errorf("the line is longer than %d bytes, a few numbers are expected", lineMax)
	} else if err != nil {
		return "", false, fmt.Errorf("%s: %w", l.file, err)
	}
	return "", false, nil
}

// must returns the next line, of which the file must have one more: what is expected there.
func (l *lines) must(what string) (string, error) {
	text, ok, err := l.next()
	if err == nil && !ok {
		l.at++
		err = l.errorf("the file ends here, %s is expected", what)
	}
	return text, err
}

func (l *lines) errorf(format string, args ...any) error {
	return fmt.Errorf("%s:%d: %w", l.file, max(l.at, 1), fmt.Errorf(format, args...))
}

// number reads a whole number.
func (l *lines) number(text, what string) (int64, error) {
	v, err := strconv.ParseInt(text, 10, 64)
	if errors.Is(err, strconv.ErrRange) {
		return 0, l.errorf("%s is %s, which is too large: a number of 63 bits is expected", what, quote(text))
	}
	if err != nil {
		return 0, l.errorf("%s is %s, a whole number is expected", what, quote(text))
	}
	return v, nil
}

// quote quotes what a file says, in short.
func quote(text string) string {
	const most = 40
	if len(text) > most {
		text = text[:most] + "..."
	}
	return strconv.Quote(text)
}
