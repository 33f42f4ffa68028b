package scenario

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"go.yaml.in/yaml/v3"

	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

// A Mistake is what is wrong with a scenario.
type Mistake struct {
	Line  int    // from 1
	Field string // such as sites.a.peers; "": the whole
	Text  string
}

func (m *Mistake) Error() string {
	if m.Field == "" {
		return fmt.Sprintf("line %d: %s", m.Line, m.Text)
	}
	return fmt.Sprintf("line %d: %s: %s", m.Line, m.Field, m.Text)
}

// fields are those of one mapping, as they are read. The first mistake counts, and all fields that
// nobody has read are mistakes.
type fields struct {
	path  string
	node  *yaml.Node
	read  []string
	first **Mistake
}

// within is the path of a field; of all of them where it has no name.
func (f *fields) within(name string) string {
	if f.path == "" || name == "" {
		return f.path + name
	}
	return f.path + "." + name
}

// wrong notes a mistake.
func (f *fields) wrong(at *yaml.Node, name, format string, args ...any) {
	if *f.first == nil {
		*f.first = &Mistake{at.Line, f.within(name), fmt.Sprintf(format, args...)}
	}
}

// names are those of all fields, in their order.
func (f *fields) names() (all []string) {
	if f.node == nil {
		return nil
	}
	for n := 0; n < len(f.node.Content); n += 2 {
		all = append(all, f.node.Content[n].Value)
	}
	return all
}

// get is the value of a field, or nil.
func (f *fields) get(name string) *yaml.Node {
	if !slices.Contains(f.read, name) {
		f.read = append(f.read, name)
	}
	if f.node == nil {
		return nil
	}
	for n := 0; n < len(f.node.Content); n += 2 {
		if f.node.Content[n].Value == name {
			return f.node.Content[n+1]
		}
	}
	return nil
}

// has tells whether there is a field.
func (f *fields) has(name string) bool { return f.get(name) != nil }

// below are the fields of a field that is a mapping. It has none where it is not there.
func (f *fields) below(name string) *fields {
	at := f.get(name)
	if at != nil && at.Kind != yaml.MappingNode {
		f.wrong(at, name, "fields with values are expected here")
		at = nil
	}
	return &fields{path: f.within(name), node: at, first: f.first}
}

// done notes the first field that nobody has read.
func (f *fields) done() {
	if f.node == nil {
		return
	}
	for n := 0; n < len(f.node.Content); n += 2 {
		name := f.node.Content[n].Value
		if slices.Contains(f.read, name) {
			continue
		}
		slices.Sort(f.read)
		meant := wording.There(f.read, len(f.read))
		if near, ok := wording.Nearest(name, f.read); ok {
			meant = "did you mean " + near + "?"
		}
		f.wrong(f.node.Content[n], name, "there is no such field; %s", meant)
	}
}

// text is a field's value as it is written, or what it is where nothing is.
func (f *fields) text(name, otherwise string) string {
	at := f.get(name)
	switch {
	case at == nil:
		return otherwise
	case at.Kind != yaml.ScalarNode || at.Tag == "!!null":
		f.wrong(at, name, "one value is expected here")
		return otherwise
	}
	return at.Value
}

// one is a field whose value is one of several words.
func (f *fields) one(name string, of ...string) string {
	text := f.text(name, of[0])
	if !slices.Contains(of, text) {
		f.wrong(f.get(name), name, "%q: one of %s is expected", text, wording.List(of))
		return of[0]
	}
	return text
}

// whole is a field that is a whole number.
func (f *fields) whole(name string, otherwise, least, most int) int {
	text := f.text(name, strconv.Itoa(otherwise))
	n, err := strconv.Atoi(text)
	if f.has(name) && (err != nil || n < least || n > most) {
		f.wrong(f.get(name), name, "%q: a whole number from %d to %d is expected", text, least, most)
		return otherwise
	}
	return n
}

// number is a field that is a number.
func (f *fields) number(name string, otherwise, least, most float64) float64 {
	text := f.text(name, "")
	if !f.has(name) {
		return otherwise
	}
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || !(x >= least && x <= most) {
		f.wrong(f.get(name), name, "%q: a number from %v to %v is expected", text, least, most)
		return otherwise
	}
	return x
}

// share is a field that is a part of a whole, such as 0.5%.
func (f *fields) share(name string, most float64) float64 {
	text := f.text(name, "0%")
	number, ok := strings.CutSuffix(text, "%")
	x, err := strconv.ParseFloat(number, 64)
	if !ok || err != nil || !(x >= 0 && x/100 <= most) {
		f.wrong(f.get(name), name, "%q: a share from 0%% to %v%% is expected, such as 0.5%%", text, 100*most)
		return 0
	}
	return x / 100
}

// timeMax bounds all times of a scenario.
const timeMax = 1000 * time.Hour

// time is a field that is a duration.
func (f *fields) time(name string, otherwise, least time.Duration) time.Duration {
	text := f.text(name, "")
	if !f.has(name) {
		return otherwise
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < least || d > timeMax {
		f.wrong(f.get(name), name, "%q: a time of at least %v is expected, such as 20ms or 1m30s", text, least)
		return otherwise
	}
	return d
}

// rate is a field that says how much passes in a second, in bytes; 0 where nothing is said.
func (f *fields) rate(name string) int64 {
	text := f.text(name, "")
	if !f.has(name) || text == "any" {
		return 0
	}
	rate, err := local.ParseRate(text)
	if err != nil {
		f.wrong(f.get(name), name, "%v", err)
	}
	return rate
}

// size is a field that says how many bytes something has.
func (f *fields) size(name string, most int) int {
	text := f.text(name, "0B")
	n, err := wording.ParseSize(text)
	if err != nil || n > most {
		f.wrong(f.get(name), name, "%q: a size of at most %d B is expected, such as 100kB", text, most)
		return 0
	}
	return n
}

// words are a field that is a list of words, or one of them.
func (f *fields) words(name string) (all []string) {
	at := f.get(name)
	switch {
	case at == nil:
	case at.Kind == yaml.ScalarNode && at.Tag != "!!null":
		all = append(all, at.Value)
	case at.Kind == yaml.SequenceNode:
		for _, one := range at.Content {
			if one.Kind != yaml.ScalarNode {
				f.wrong(one, name, "a list of words is expected here")
				return nil
			}
			all = append(all, one.Value)
		}
	default:
		f.wrong(at, name, "a list of words is expected here")
	}
	return all
}

// thousandths is a number as that.
func thousandths(x float64) int { return int(math.Round(1000 * x)) }
