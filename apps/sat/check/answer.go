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
	Status string  // SATISFIABLE, UNSATISFIABLE, UNKNOWN or OPTIMUM FOUND
	Model  []int32 // nil: there is none
	Cost   int64   // what the model costs, by the last o line
	Costs  bool    // whether that was said
}

// Read reads the s, v and o lines of an answer, or the document of satin run sat --json; file is
// the name that errors say.
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
			Cost   *int64  `json:"cost"`
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
	case needsModel(d.Answer.Status) && d.Answer.Model == nil:
		return fail("a model is expected, as the formula is said to be satisfiable")
	}
	a := Answer{Status: d.Answer.Status, Model: d.Answer.Model}
	if d.Answer.Cost != nil {
		a.Cost, a.Costs = *d.Answer.Cost, true
	}
	return a, nil
}

const statuses = "SATISFIABLE, UNSATISFIABLE, UNKNOWN or OPTIMUM FOUND"

func known(status string) bool {
	return needsModel(status) || status == "UNSATISFIABLE" || status == "UNKNOWN"
}

func needsModel(status string) bool { return status == "SATISFIABLE" || status == "OPTIMUM FOUND" }

// competition reads s, v and o lines.
func competition(r io.Reader, file string) (Answer, error) {
	var a Answer
	lines := bufio.NewScanner(r)
	lines.Buffer(make([]byte, 1<<16), lineMax)
	line := 0
	var values values
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
		case "o":
			var err error
			if a.Cost, err = strconv.ParseInt(strings.TrimSpace(rest), 10, 64); err != nil || a.Cost < 0 {
				return fail("%q: a cost is expected, a number from 0", rest)
			}
			a.Costs = true
		case "v":
			for word := range strings.FieldsSeq(rest) {
				if !values.take(word) {
					return fail("%q: a literal is expected, and nothing after the 0 at the end", word)
				}
			}
		default:
			return fail("%q: a line that begins with c, s, v or o is expected", text)
		}
	}
	if err := lines.Err(); err != nil {
		return fail("%v", err)
	}
	var ended bool
	switch a.Model, ended = values.model(a.Costs); {
	case a.Status == "":
		return Answer{}, errors.New(file + ": there is no s line")
	case needsModel(a.Status) && !ended:
		return Answer{}, errors.New(file + ": the v lines do not end with 0; is the file cut off?")
	}
	return a, nil
}

// values are what stands on v lines: literals with a 0 at the end or, as the MaxSAT Evaluations
// have it since 2020, one word with a 0 or a 1 for each variable.
type values struct {
	list  []int32
	ended bool
	bits  string // the first word, while it is the only one and may be such a word
}

// take takes the next word, and tells whether it may stand there.
func (v *values) take(word string) bool {
	if len(v.list) == 0 && v.bits == "" && !v.ended && word != "0" && strings.Trim(word, "01") == "" {
		v.bits = word
		return true
	}
	first := v.bits
	v.bits = ""
	return (first == "" || v.literal(first)) && v.literal(word)
}

func (v *values) literal(word string) bool {
	n, err := strconv.ParseInt(word, 10, 32)
	if err != nil || v.ended {
		return false
	}
	if v.ended = n == 0; !v.ended {
		v.list = append(v.list, int32(n))
	}
	return true
}

// model is the model, and whether all of it is there. Only one that costs something may be in bits.
func (v *values) model(costs bool) (model []int32, whole bool) {
	if v.bits == "" || !costs {
		return v.list, v.ended
	}
	for k, bit := range v.bits {
		l := int32(k + 1)
		if bit == '0' {
			l = -l
		}
		model = append(model, l)
	}
	return model, true
}
