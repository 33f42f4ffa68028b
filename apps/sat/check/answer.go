package check

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// answerMax bounds a document: more than a model of the largest formula takes.
const answerMax = 1 << 30

// Answer is what a solver has printed.
type Answer struct {
	Status string // SATISFIABLE, UNSATISFIABLE or UNKNOWN
	Model  []int32
}

// Read reads the s and v lines of an answer, or the document of satin run sat --json; file is the
// name that errors say.
func Read(r io.Reader, file string) (Answer, error) {
	in := bufio.NewReader(r)
	if first, err := in.Peek(1); err == nil && first[0] == '{' {
		return document(in, file)
	}
	return competition(in, file)
}

// document reads the answer of --json.
func document(r io.Reader, file string) (Answer, error) {
	var d struct {
		App    string `json:"app"`
		Answer *struct {
			Status string  `json:"status"`
			Model  []int32 `json:"model"`
		} `json:"answer"`
	}
	fail := func(format string, args ...any) (Answer, error) {
		return Answer{}, fmt.Errorf("%s:1: %s", file, fmt.Sprintf(format, args...))
	}
	data, err := io.ReadAll(io.LimitReader(r, answerMax))
	if err != nil {
		return fail("%v", err)
	}
	if err := json.Unmarshal(data, &d); err != nil {
		return fail("the JSON is broken (%v), an answer of satin run sat --json is expected", err)
	}
	switch {
	case d.App != "sat":
		return fail("app is %q, \"sat\" is expected", d.App)
	case d.Answer == nil:
		return fail("there is no answer, a status is expected")
	case !known(d.Answer.Status):
		return fail("status %q: %s is expected", d.Answer.Status, statuses)
	case d.Answer.Status == "SATISFIABLE" && d.Answer.Model == nil:
		return fail("a model is expected, as the formula is said to be satisfiable")
	}
	return Answer{d.Answer.Status, d.Answer.Model}, nil
}

const statuses = "SATISFIABLE, UNSATISFIABLE or UNKNOWN"

func known(status string) bool {
	return status == "SATISFIABLE" || status == "UNSATISFIABLE" || status == "UNKNOWN"
}

// competition reads s and v lines.
func competition(r io.Reader, file string) (Answer, error) {
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
			if !known(a.Status) {
				return fail("status %q: %s is expected", a.Status, statuses)
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
