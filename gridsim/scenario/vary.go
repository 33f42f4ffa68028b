package scenario

import (
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Limits of what one file may ask.
const (
	TextMax     = 1 << 20
	depthMax    = 16 // of fields within fields
	variantsMax = 1000
)

// variant is a scenario with a case and a value for each swept field.
type variant struct {
	name   string // of the case; "": there are none
	fields []Varied
	top    *yaml.Node
}

// Varied is a field that a sweep gives a value.
type Varied struct {
	Field string `json:"field"`
	Value string `json:"value"`
}

// parse reads the text of a scenario.
func parse(text []byte) (*yaml.Node, *Mistake) {
	if len(text) > TextMax {
		return nil, &Mistake{1, "", fmt.Sprintf("a scenario has at most %d bytes", TextMax)}
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, ofYAML(err)
	}
	if len(doc.Content) == 0 || doc.Content[0].Kind != yaml.MappingNode {
		return nil, &Mistake{1, "", "fields with values are expected, such as sites, far and workload"}
	}
	top := doc.Content[0]
	return top, plain(top, "", 0)
}

// ofYAML is a mistake that the library has found, in its words.
func ofYAML(err error) *Mistake {
	m := &Mistake{Line: 1, Text: strings.TrimPrefix(err.Error(), "yaml: ")}
	if n, err := fmt.Sscanf(m.Text, "line %d: ", &m.Line); n == 1 && err == nil {
		_, m.Text, _ = strings.Cut(m.Text, ": ")
	}
	return m
}

// plain sees that a text is no more than fields, lists and values: nothing stands for something
// else, and no field is there twice.
func plain(n *yaml.Node, path string, depth int) *Mistake {
	if n.Kind == yaml.AliasNode || n.Anchor != "" {
		return &Mistake{n.Line, path, "anchors and aliases are not read"}
	}
	if depth > depthMax {
		return &Mistake{n.Line, path, "too many fields within fields"}
	}
	for i, c := range n.Content {
		at := path
		if n.Kind == yaml.MappingNode {
			key := n.Content[i-i%2]
			f := fields{path: path}
			at = f.within(key.Value)
			if i%2 == 0 && key.Kind != yaml.ScalarNode {
				return &Mistake{key.Line, path, "a name is expected before the colon"}
			}
			for k := 0; k < i && i%2 == 0; k += 2 {
				if n.Content[k].Value == key.Value {
					return &Mistake{key.Line, at, "it is there twice"}
				}
			}
		}
		if m := plain(c, at, depth+1); m != nil {
			return m
		}
	}
	return nil
}

// vary makes the variants of a scenario: each case with each choice of swept values.
func vary(top *yaml.Node) ([]variant, *Mistake) {
	var first *Mistake
	f := &fields{node: top, first: &first}
	all := []variant{{top: top}}
	if cases := f.below("cases"); cases.node != nil {
		all = nil
		for _, name := range cases.names() {
			v := variant{name: name, top: copied(top)}
			set := cases.below(name)
			for _, path := range set.names() {
				put(v.top, path, set.get(path), set)
			}
			all = append(all, v)
		}
	}
	sweep := f.below("sweep")
	for _, path := range sweep.names() {
		values := sweep.get(path)
		if values.Kind != yaml.SequenceNode || len(values.Content) == 0 {
			sweep.wrong(values, path, "a list of values is expected, such as [1ms, 20ms]")
			break
		}
		var more []variant
		for _, v := range all {
			for _, value := range values.Content {
				x := variant{v.name, append(slices.Clone(v.fields), Varied{path, written(value)}), copied(v.top)}
				put(x.top, path, value, sweep)
				more = append(more, x)
			}
		}
		if all = more; len(all) > variantsMax {
			sweep.wrong(values, path, "that makes more than %d variants", variantsMax)
			break
		}
	}
	return all, first
}

// fixed are fields of a file, which no variant can have of its own.
var fixed = []string{"about", "look", "plot", "seed", "repetitions", "cases", "sweep"}

// put gives a field a value. The way to it is made where it is not there: what nobody knows is
// found when it is read.
func put(top *yaml.Node, path string, value *yaml.Node, by *fields) {
	at := top
	names := strings.Split(path, ".")
	if slices.Contains(fixed, names[0]) {
		by.wrong(value, path, "that is the same for all variants")
		return
	}
	for n, name := range names {
		var below *yaml.Node
		for k := 0; k < len(at.Content); k += 2 {
			if at.Content[k].Value == name {
				if n == len(names)-1 {
					at.Content[k+1] = value
					return
				}
				below = at.Content[k+1]
			}
		}
		if below == nil {
			below = &yaml.Node{Kind: yaml.MappingNode, Tag: "!!map", Line: value.Line}
			if n == len(names)-1 {
				below = value
			}
			at.Content = append(at.Content, &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: name, Line: value.Line}, below)
		}
		if n < len(names)-1 && below.Kind != yaml.MappingNode {
			by.wrong(value, path, "%s has no fields", strings.Join(names[:n+1], "."))
			return
		}
		at = below
	}
}

// copied is a copy that shares nothing with a node.
func copied(n *yaml.Node) *yaml.Node {
	c := *n
	c.Content = nil
	for _, below := range n.Content {
		c.Content = append(c.Content, copied(below))
	}
	return &c
}

// written is a value as a table shows it.
func written(n *yaml.Node) string {
	if n.Kind == yaml.ScalarNode {
		return n.Value
	}
	c := copied(n)
	var flow func(*yaml.Node)
	flow = func(n *yaml.Node) {
		n.Style, n.HeadComment, n.LineComment, n.FootComment = yaml.FlowStyle, "", "", ""
		for _, below := range n.Content {
			flow(below)
		}
	}
	flow(c)
	text, err := yaml.Marshal(c)
	if err != nil {
		return "?"
	}
	return strings.TrimSpace(string(text))
}
