package satin

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"satingrid/satin/build"
	"satingrid/steal"
)

// hello is what hosts show each other at the handshake: two builds work together when they would
// compute the same.
type hello struct {
	App     string
	Version string
	Schema  steal.Key // of the tasks, their fields and results
	Build   build.Identity
	// submits runs and computes none: what it may say is less, and it cannot take that
	// back on this session
	Client bool
}

func (g *registry) hello(made build.Identity, client bool) hello {
	return hello{g.name, g.version, g.schema(), made, client}
}

// fits tells why two builds do not work together, and what to do.
func (h hello) fits(other hello) error {
	switch {
	case h.App != other.App:
		return fmt.Errorf("this grid runs %.40q, the other host %.40q: start the same program on all machines", h.App, other.App)
	case h.Version != other.Version:
		return fmt.Errorf("this grid runs %.40q %.40q, the other host %.40q: install the same version on all machines", h.App, h.Version, other.Version)
	case !h.Build.Matches(other.Build):
		return fmt.Errorf("this grid runs %v; the other host %v: copy one executable to all machines, or build all from one clean commit", h.Build, other.Build)
	case h.Schema != other.Schema:
		return fmt.Errorf("both run %.40q %.40q, but their tasks differ: list the same tasks in satin.App on all hosts", h.App, h.Version)
	}
	return nil
}

// handshake is this host's hello, made when the first host comes: an executable takes a while to
// read, and Open does not wait for that.
type handshake struct{ own func() (hello, error) }

// Open finds out what this program was built from.
func (d *handshake) Open() error {
	_, err := d.own()
	return err
}

// made is what this program was built from.
func (d *handshake) made() (build.Identity, error) {
	h, err := d.own()
	return h.Build, err
}

// Greeting is what other hosts are shown.
func (d *handshake) Greeting() []byte {
	h, _ := d.own()
	data, err := marshal(&h)
	if err != nil {
		panic(fmt.Sprintf("satin: BUG: encode the greeting: %v", err))
	}
	return data
}

// Accept checks what another host shows.
func (d *handshake) Accept(_ string, data []byte) error {
	h, err := d.own()
	if err != nil {
		return err
	}
	var other hello
	if err = unmarshal(data, &other); err == nil {
		err = other.Build.Check()
	}
	if err != nil {
		return fmt.Errorf("the other host's greeting cannot be used: %w: run the same build of satin on all machines", err)
	}
	return h.fits(other)
}

// IsClient tells whether a host that was let in proved at the handshake that it is a client.
func (d *handshake) IsClient(data []byte) bool {
	var h hello
	return unmarshal(data, &h) == nil && h.Client
}

// stored names whose results on disk this program uses: those of its own build, or of any build of
// its version where that is enough.
func (g *registry) stored(this func() (build.Identity, error)) (string, error) {
	if g.enough {
		return fmt.Sprintf("%.100q %.100q %v", g.name, g.version, g.schema()), nil
	}
	made, err := this()
	return fmt.Sprintf("%.100q %.100q %s %v %v", g.name, g.version, made.Digest, steal.KeyOf(made.Modules), g.schema()), err
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
