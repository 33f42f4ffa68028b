package satin

import (
	"fmt"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"

	"satingrid/steal"
)

// hello is what hosts show each other at the door: two builds work together when they would compute the same.
type hello struct {
	App      string
	Version  string
	Schema   steal.Key // of the tasks, their fields and results
	Revision string    // of the source, where the build knows it
}

func (g *registry) hello() hello {
	return hello{g.name, g.version, g.schema(), revision()}
}

// fits tells why two builds do not work together.
func (h hello) fits(other hello) error {
	switch {
	case h.App != other.App:
		return fmt.Errorf("this grid runs %q, the other host %q", h.App, other.App)
	case h.Version != other.Version:
		return fmt.Errorf("this grid runs %s %s, the other host %s", h.App, h.Version, other.Version)
	case h.Revision != other.Revision && h.Revision != "" && other.Revision != "":
		return fmt.Errorf("this grid runs revision %.12s of %s, the other host %.12s", h.Revision, h.App, other.Revision)
	case h.Schema != other.Schema:
		return fmt.Errorf("both run %s %s, but their tasks differ: they were built from different sources", h.App, h.Version)
	}
	return nil
}

// accept checks what another host shows.
func (h hello) accept(_ string, data []byte) error {
	var other hello
	if err := unmarshal(data, &other); err != nil {
		return fmt.Errorf("the other host's greeting cannot be read: %w", err)
	}
	return h.fits(other)
}

// schema digests the names and the shapes of all tasks and results.
func (g *registry) schema() steal.Key {
	var lines []string
	for name, t := range g.byName {
		lines = append(lines, name+" "+shapeOf(t.task, nil)+" "+shapeOf(t.result, nil))
	}
	slices.Sort(lines)
	return steal.KeyOf([]byte(strings.Join(lines, "\n")))
}

// shapeOf writes a type as its encoding sees it.
func shapeOf(t reflect.Type, above []reflect.Type) string {
	if i := slices.Index(above, t); i >= 0 {
		return fmt.Sprint("^", i)
	}
	above = append(above, t)
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + shapeOf(t.Elem(), above)
	case reflect.Slice:
		return "[]" + shapeOf(t.Elem(), above)
	case reflect.Array:
		return fmt.Sprintf("[%d]%s", t.Len(), shapeOf(t.Elem(), above))
	case reflect.Map:
		return "map[" + shapeOf(t.Key(), above) + "]" + shapeOf(t.Elem(), above)
	case reflect.Struct:
		var b strings.Builder
		b.WriteString("{")
		for i := range t.NumField() {
			f := t.Field(i)
			fmt.Fprintf(&b, "%s %s %q;", f.Name, shapeOf(f.Type, above), f.Tag)
		}
		return b.String() + "}"
	}
	return t.Kind().String()
}

// revision is the source's, if the build knows it and nothing was changed.
func revision() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	var rev, modified string
	for _, s := range info.Settings {
		switch s.Key {
		case "vcs.revision":
			rev = s.Value
		case "vcs.modified":
			modified = s.Value
		}
	}
	if modified == "true" {
		return ""
	}
	return rev
}
