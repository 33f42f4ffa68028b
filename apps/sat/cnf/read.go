package cnf

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// lineMax bounds a line, in bytes: a clause of every literal of a large formula fits.
const lineMax = 1 << 26

// Read reads a formula in DIMACS format, also compressed by gzip; file is the name that errors and
// warnings say. A header "p cnf" begins clauses, "p inccnf" clauses and cubes, "p wcnf" clauses
// with weights. Without a header they have weights where the file has a name in .wcnf, or begins
// with a clause that is marked by h. A line that begins with % ends the formula, as in SATLIB's
// files. Counts that are wrong in the header are only warned of.
func Read(r io.Reader, file string) (f *Formula, warnings []string, err error) {
	d := &reader{file: file, f: new(Formula)}
	d.named = namedWeighed(file)
	in := bufio.NewReaderSize(r, 1<<16)
	if magic, _ := in.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(in)
		if err != nil {
			return nil, nil, fmt.Errorf("%s: the file begins as one of gzip, but: %w", file, err)
		}
		in = bufio.NewReaderSize(z, 1<<16)
	}
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 1<<16), lineMax)
	for lines.Scan() && !d.ended {
		d.line++
		if err := d.take(lines.Bytes()); err != nil {
			return nil, nil, fmt.Errorf("%s:%d: %w", file, d.line, err)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, nil, fmt.Errorf("%s:%d: %w", file, d.line+1, err)
	}
	if err := d.finish(); err != nil {
		return nil, nil, fmt.Errorf("%s:%d: %w", file, max(d.line, 1), err)
	}
	return d.f, d.warnings, nil
}

// reader is a formula half read.
type reader struct {
	file     string
	line     int
	f        *Formula
	warnings []string

	header   bool // it was seen
	cubes    bool // the file is a "p inccnf"
	inCube   bool // the group that is being read is a cube
	open     bool // its 0 is missing yet
	opened   int  // the line of its first literal
	ended    bool
	vars     int64 // as the header says; -1: it does not
	clauses  int64
	read     int64 // clauses
	varsSeen int32
	weights
}

func (d *reader) take(line []byte) error {
	line = bytes.TrimSpace(line)
	switch {
	case len(line) == 0 || line[0] == 'c':
		return nil
	case line[0] == '%':
		d.ended = true
		return nil
	case line[0] == 'p':
		return d.head(bytes.Fields(line))
	case !d.header && (d.named || line[0] == 'h'):
		d.bare()
	case !d.header:
		return fmt.Errorf("%q stands before the header: p cnf VARIABLES CLAUSES is expected first", brief(line))
	case line[0] == 'a':
		if !d.cubes {
			return errors.New("a cube, but the header is not p inccnf")
		}
		if d.open {
			return fmt.Errorf("a cube begins inside the clause of line %d: 0 is expected at the clause's end", d.opened)
		}
		d.inCube, d.open, d.opened = true, true, d.line
		line = line[1:]
	}
	for len(line) > 0 {
		word := line
		if end := bytes.IndexAny(line, " \t"); end >= 0 {
			word, line = line[:end], bytes.TrimLeft(line[end:], " \t")
		} else {
			line = nil
		}
		if len(word) == 0 {
			continue
		}
		if err := d.word(word); err != nil {
			return err
		}
	}
	return nil
}

// word takes a literal, or what stands before those of a clause that has a weight.
func (d *reader) word(word []byte) error {
	if d.f.Weighed && !d.open {
		return d.weigh(word)
	}
	return d.literal(word)
}

func (d *reader) head(words [][]byte) error {
	switch {
	case d.unheaded:
		return errors.New("a header behind a clause: it is expected first, or not at all")
	case d.header:
		return errors.New("a second header: one is expected")
	}
	d.header, d.vars, d.clauses = true, -1, -1
	switch {
	case len(words) >= 2 && string(words[1]) == "wcnf":
		return d.top(words)
	case len(words) >= 2 && string(words[1]) == "inccnf":
		d.cubes = true
		return nil
	case len(words) != 4 || string(words[0]) != "p" || string(words[1]) != "cnf":
		return fmt.Errorf("the header is %q: p cnf VARIABLES CLAUSES, p wcnf VARIABLES CLAUSES TOP or p inccnf is expected", brief(bytes.Join(words, []byte(" "))))
	}
	return d.counts(words)
}

// counts reads how many variables and clauses the header says.
func (d *reader) counts(words [][]byte) (err error) {
	if d.vars, err = strconv.ParseInt(string(words[2]), 10, 64); err != nil || d.vars < 0 || d.vars > VarsMax {
		return fmt.Errorf("%q variables: 0 to %d are expected", brief(words[2]), VarsMax)
	}
	if d.clauses, err = strconv.ParseInt(string(words[3]), 10, 64); err != nil || d.clauses < 0 {
		return fmt.Errorf("%q clauses: a number is expected", brief(words[3]))
	}
	return nil
}

func (d *reader) literal(word []byte) error {
	n, err := strconv.ParseInt(string(word), 10, 64)
	if err != nil {
		return fmt.Errorf("%q is no literal: a number is expected", brief(word))
	}
	if n > VarsMax || -n > VarsMax {
		return fmt.Errorf("variable %s: at most %d are expected", brief(word), VarsMax)
	}
	l := int32(n)
	d.varsSeen = max(d.varsSeen, l, -l)
	list := &d.f.Lits
	switch {
	case d.inCube:
		list = &d.f.Cubes
	case d.soft:
		list = &d.f.Soft
	}
	if len(*list) >= LitsMax {
		return fmt.Errorf("the formula has more than %d literals", LitsMax)
	}
	*list = append(*list, l)
	switch {
	case l != 0 && !d.open:
		d.open, d.opened = true, d.line
	case l == 0:
		if !d.inCube {
			d.read++
		}
		d.open, d.inCube, d.soft = false, false, false
	}
	return nil
}

// finish looks at what the header says when all is read.
func (d *reader) finish() error {
	switch {
	case !d.header && d.named:
		d.bare()
	case !d.header:
		return errors.New("the file ends without a header: p cnf VARIABLES CLAUSES is expected")
	case d.open:
		return fmt.Errorf("the file ends inside the clause of line %d: 0 is expected at its end; is the file cut off?", d.opened)
	}
	if d.vars >= 0 && int64(d.varsSeen) > d.vars {
		d.warn("variable %d is used, but the header has %d", d.varsSeen, d.vars)
	}
	if d.clauses >= 0 && d.read != d.clauses {
		d.warn("there are %d clauses, but the header has %d", d.read, d.clauses)
	}
	d.f.Vars = max(int(d.vars), int(d.varsSeen))
	return nil
}

func (d *reader) warn(format string, args ...any) {
	d.warnings = append(d.warnings, d.file+": "+fmt.Sprintf(format, args...))
}

// brief is as much of what was found as a message should show.
func brief(b []byte) string {
	const shown = 40
	if len(b) > shown {
		return string(b[:shown]) + "…"
	}
	return string(b)
}
