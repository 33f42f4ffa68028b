package check

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"

	"satingrid/apps/tsp/tsplib"
)

// Unsaid is a length that an answer does not give, as the tours of others do not.
const Unsaid = math.MinInt64

// Claim is an answer: what is said about a tour.
type Claim struct {
	Tour    []int // its cities count from 0
	Length  int64 // or Unsaid
	Bound   int64 // that no tour falls below, or Unsaid
	Optimal bool
}

// Verify is the length of a claim's tour; the error says what is wrong with the claim. That no tour
// is shorter than Bound is not verified: that takes a certificate.
func Verify(p *tsplib.Problem, c Claim) (int64, error) {
	length, err := Length(p, c.Tour)
	switch {
	case err != nil:
		return 0, err
	case c.Length != Unsaid && c.Length != length:
		return 0, fmt.Errorf("the tour's length is %d, the answer says %d", length, c.Length)
	case c.Bound > length:
		return 0, fmt.Errorf("the answer says that no tour is shorter than %d, but its own is, with length %d", c.Bound, length)
	case c.Bound != Unsaid && c.Optimal != (c.Bound == length):
		return 0, fmt.Errorf("the answer contradicts itself: length %d, bound %d, optimal %v", length, c.Bound, c.Optimal)
	}
	return length, nil
}

// Answer reads an answer as `satin run tsp` prints it: a tour in the format of TSPLIB95,
// or the document of --json, also compressed by gzip. Its cities are numbered as in the problem;
// file is the name that errors say. Whether the tour is one is for Verify to tell.
func Answer(r io.Reader, file string, by tsplib.Numbering) (Claim, error) {
	data, err := tsplib.Plain(r, file)
	if err != nil {
		return Claim{}, err
	}
	var c Claim
	if text := bytes.TrimSpace(data); len(text) > 0 && text[0] == '{' {
		c, err = document(data, file)
	} else {
		c, err = tour(string(data), file)
	}
	for k := range c.Tour {
		c.Tour[k] -= by.First()
	}
	return c, err
}

// document reads the answer of --json, with its cities as they are numbered.
func document(data []byte, file string) (Claim, error) {
	var d struct {
		App    string `json:"app"`
		Answer *struct {
			Length  *int64 `json:"length"`
			Tour    []int  `json:"tour"`
			Optimal bool   `json:"optimal"`
			Bound   *int64 `json:"bound"`
		} `json:"answer"`
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return Claim{}, fmt.Errorf("%s:1: the JSON is broken (%w), an answer of satin run tsp --json is expected", file, err)
	}
	if d.App != "tsp" {
		return Claim{}, fmt.Errorf("%s:1: app is %q, \"tsp\" is expected", file, d.App)
	}
	a := d.Answer
	if a == nil || a.Length == nil || a.Bound == nil || a.Tour == nil {
		return Claim{}, fmt.Errorf("%s:1: the answer is not whole, length, bound and tour are expected", file)
	}
	c := Claim{Length: *a.Length, Bound: *a.Bound, Optimal: a.Optimal}
	c.Tour = a.Tour
	return c, nil
}

// said is how the comment of a tour of ours begins.
var said = regexp.MustCompile(`^COMMENT *: *length (-?\d+)(, which is optimal|; no tour is shorter than (-?\d+))`)

// tour reads a tour in the format of TSPLIB95, with its cities as they are numbered.
func tour(text, file string) (Claim, error) {
	c := Claim{Length: Unsaid, Bound: Unsaid}
	line, cities, ended := 0, false, false
	for words := range strings.Lines(text) {
		line++
		words = strings.TrimSpace(words)
		if !cities {
			if err := c.comment(words); err != nil {
				return Claim{}, fmt.Errorf("%s:%d: %w", file, line, err)
			}
			if cities = strings.TrimRight(words, " :") == "TOUR_SECTION"; !cities && words != "" && !strings.Contains(words, ":") {
				return Claim{}, fmt.Errorf("%s:%d: %q, an entry of a TSPLIB95 tour such as TOUR_SECTION is expected", file, line, words)
			}
			continue
		}
		for word := range strings.FieldsSeq(words) {
			city, err := strconv.Atoi(word)
			switch {
			case word == "EOF" || err == nil && city == -1 && !ended:
				ended = true
			case err != nil || ended:
				return Claim{}, fmt.Errorf("%s:%d: %q, a city is expected, and nothing but EOF after the -1 at the end", file, line, word)
			default:
				c.Tour = append(c.Tour, city)
			}
		}
	}
	if !cities {
		return Claim{}, fmt.Errorf("%s:%d: the file ends without a TOUR_SECTION, which is expected", file, line+1)
	}
	return c, nil
}

// comment takes what is said about the tour from a line that says it.
func (c *Claim) comment(line string) error {
	m := said.FindStringSubmatch(line)
	if m == nil {
		return nil
	}
	c.Optimal = m[3] == ""
	if c.Optimal {
		m[3] = m[1]
	}
	var err1, err2 error
	c.Length, err1 = strconv.ParseInt(m[1], 10, 64)
	c.Bound, err2 = strconv.ParseInt(m[3], 10, 64)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("%q, lengths of at most 64 bits are expected", m[0])
	}
	return nil
}
