package check

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"satingrid/apps/sat/cnf"
)

// Model tells whether the literals satisfy all clauses. A variable that is not among them has no value.
func Model(f *cnf.Formula, model []int32) error {
	value := make([]int8, f.Vars+1)
	for _, l := range model {
		v := max(l, -l)
		if v < 1 || int(v) > f.Vars {
			return fmt.Errorf("the model has literal %d, but the variables are 1 to %d", l, f.Vars)
		}
		sign := int8(1)
		if l < 0 {
			sign = -1
		}
		if value[v] == -sign {
			return fmt.Errorf("the model has both %d and %d", v, -v)
		}
		value[v] = sign
	}
	number := 0
	for clause := range f.Clauses() {
		number++
		if !satisfied(clause, value) {
			return fmt.Errorf("clause %d, %v, is not satisfied", number, clause)
		}
	}
	return nil
}

func satisfied(clause []int32, value []int8) bool {
	for _, l := range clause {
		if l > 0 && value[l] > 0 || l < 0 && value[-l] < 0 {
			return true
		}
	}
	return false
}

// Answer is what a solver has printed.
type Answer struct {
	Status string  // SATISFIABLE, UNSATISFIABLE or UNKNOWN
	Model  []int32 // its v lines
}

// Read reads the s and v lines of an answer; file is the name that errors say.
func Read(r io.Reader, file string) (Answer, error) {
	var a Answer
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), lineMax)
	line, ended := 0, false
	fail := func(format string, args ...any) (Answer, error) {
		return Answer{}, fmt.Errorf("%s:%d: %s", file, line, fmt.Sprintf(format, args...))
	}
	for lines.Scan() {
		line++
		text := strings.TrimSpace(lines.Text())
		switch kind, rest, _ := strings.Cut(text, " "); kind {
		case "", "c":
		case "s":
			if a.Status != "" {
				return fail("a second s line: one is expected")
			}
			a.Status = strings.TrimSpace(rest)
			if a.Status != "SATISFIABLE" && a.Status != "UNSATISFIABLE" && a.Status != "UNKNOWN" {
				return fail("status %q: SATISFIABLE, UNSATISFIABLE or UNKNOWN is expected", a.Status)
			}
		case "v":
			for word := range strings.FieldsSeq(rest) {
				n, err := strconv.ParseInt(word, 10, 32)
				if err != nil || ended {
					return fail("%q: a literal is expected, and nothing after the 0 at the end", word)
				}
				if ended = n == 0; !ended {
					a.Model = append(a.Model, int32(n))
				}
			}
		default:
			return fail("%q: a line that begins with c, s or v is expected", text)
		}
	}
	if err := lines.Err(); err != nil {
		return fail("%v", err)
	}
	switch {
	case a.Status == "":
		return Answer{}, errors.New(file + ": there is no s line")
	case a.Status == "SATISFIABLE" && !ended:
		return Answer{}, errors.New(file + ": the v lines do not end with 0; is the file cut off?")
	}
	return a, nil
}
