package trial

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"
)

// Seen is what was seen of a run at one time.
type Seen struct {
	At    float64 // seconds since it began
	Work  float64 // seconds of workers that it has cost
	Share float64 // which share of all that is, as it guessed
}

// Series is a run as it was seen, again and again, and at its end.
type Series struct {
	Name string
	Seen []Seen // ascending
	End  Seen   // its Share is 1
}

var errNoEnd = errors.New("what was seen does not end with an answer")

// Read reads a series that Write has written: a line for each time, with the seconds, the work and
// the share. The last is the end.
func Read(name string, from io.Reader) (s Series, err error) {
	s.Name = name
	for lines := bufio.NewScanner(from); lines.Scan(); {
		var x Seen
		if _, err := fmt.Sscan(lines.Text(), &x.At, &x.Work, &x.Share); err != nil {
			return s, fmt.Errorf("%s: %q: %w", name, lines.Text(), err)
		}
		s.Seen = append(s.Seen, x)
	}
	n := len(s.Seen) - 1
	if n < 0 || s.Seen[n].Share != 1 {
		return s, fmt.Errorf("%s: %w", name, errNoEnd)
	}
	s.Seen, s.End = s.Seen[:n], s.Seen[n]
	return s, nil
}

// Write writes it.
func (s Series) Write(to io.Writer) error {
	var b strings.Builder
	for _, x := range s.Seen {
		fmt.Fprintf(&b, "%.3f %.3f %.5f\n", x.At, x.Work, x.Share)
	}
	fmt.Fprintf(&b, "%.3f %.3f 1\n", s.End.At, s.End.Work)
	_, err := io.WriteString(to, b.String())
	return err
}

// utterance is a line of what a run said of itself.
type utterance struct {
	Time   float64   `json:"t"`
	Event  string    `json:"event"`
	Busy   float64   `json:"busy_seconds"`
	Guess  *float64  `json:"guess"`
	Left   []float64 `json:"left_seconds"`
	Likely float64   `json:"likely_seconds"`
	Whole  bool      `json:"complete"`
}

// ReadEvents reads what a run said of itself, as run --events writes it: what was seen, and what it
// foretold of that.
func ReadEvents(name string, from io.Reader) (s Series, said []Said, err error) {
	s.Name = name
	for lines := json.NewDecoder(from); ; {
		var e utterance
		if err := lines.Decode(&e); err == io.EOF {
			return s, said, fmt.Errorf("%s: %w", name, errNoEnd)
		} else if err != nil {
			return s, said, fmt.Errorf("%s: an event: %w", name, err)
		}
		switch {
		case e.Event == "answered" && e.Whole:
			s.End = Seen{e.Time, e.Busy, 1}
			return s, said, nil
		case e.Event == "progress" && e.Guess != nil:
			s.Seen = append(s.Seen, Seen{e.Time, e.Busy, *e.Guess})
			x := Said{Likely: e.Likely}
			if x.Known = len(e.Left) == 2; x.Known {
				x.Least, x.Most = e.Left[0], e.Left[1]
			}
			said = append(said, x)
		}
	}
}
