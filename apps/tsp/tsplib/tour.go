package tsplib

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"strconv"
)

// ReadTour reads the first tour of a file, through the given number of cities, numbered like this;
// file is the name that errors say. The tour's cities count from 0.
func ReadTour(r io.Reader, file string, cities int, by Numbering) ([]int, error) {
	text, err := Plain(r, file)
	if err != nil {
		return nil, err
	}
	l := newLines(bytes.NewReader(text), file)
	for {
		text, ok, err := l.next()
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, l.errorf("the file ends without a TOUR_SECTION, which is expected")
		}
		switch key, value := entry(text); key {
		case "TOUR_SECTION":
			return l.tour(cities, by)
		case "NAME", "COMMENT":
		case "TYPE":
			if value != "TOUR" {
				return nil, l.errorf("TYPE is %s, TOUR is expected", quote(value))
			}
		case "DIMENSION":
			if n, err := strconv.Atoi(value); err != nil || n != cities {
				return nil, l.errorf("DIMENSION is %s, %d is expected, as in the problem", quote(value), cities)
			}
		default:
			return nil, l.errorf("%s is not known, an entry of a TSPLIB95 tour such as DIMENSION or TOUR_SECTION is expected", quote(text))
		}
	}
}

// tour reads the cities; -1 ends them, and EOF and the end of the file may.
func (l *lines) tour(cities int, by Numbering) ([]int, error) {
	tour := make([]int, 0, cities)
	seen := make([]bool, cities)
	for len(tour) < cities {
		w, err := l.word(fmt.Sprintf("city %d of the tour's %d", len(tour)+1, cities))
		if err != nil {
			return nil, err
		}
		i, err := strconv.Atoi(w)
		switch {
		case w == "-1" || w == "EOF":
			return nil, l.errorf("the tour ends after %d cities, %d are expected", len(tour), cities)
		case err != nil || i < by.Of(0) || i > by.Of(cities-1):
			return nil, l.errorf("city %s, a number from %d to %d is expected", quote(w), by.Of(0), by.Of(cities-1))
		case seen[i-by.First()]:
			return nil, l.errorf("city %d for the second time, each city is expected once", i)
		}
		seen[i-by.First()] = true
		tour = append(tour, i-by.First())
	}
	if len(l.words) == 0 {
		text, ok, err := l.next()
		if err != nil || !ok {
			return tour, err
		}
		l.words = []string{text}
	}
	if w := l.words[0]; w != "-1" && w != "EOF" {
		return nil, l.errorf("%s after all %d cities, -1 is expected", quote(w), cities)
	}
	return tour, nil
}

// WriteTour writes a tour, whose cities count from 0, as a TSPLIB95 file with this numbering.
func WriteTour(w io.Writer, name, comment string, tour []int, by Numbering) error {
	out := bufio.NewWriter(w)
	fmt.Fprintf(out, "NAME : %s\nCOMMENT : %s\nTYPE : TOUR\nDIMENSION : %d\nTOUR_SECTION\n", name, comment, len(tour))
	for _, c := range tour {
		fmt.Fprintln(out, by.Of(c))
	}
	fmt.Fprint(out, "-1\nEOF\n")
	return out.Flush()
}
