package program

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/node"
)

// sketched is an answer that draws so many bytes, or fails.
type sketched struct {
	Answer
	bytes int
	err   error
}

func (s sketched) Draw(w io.Writer) error {
	if s.err != nil {
		return s.err
	}
	for range s.bytes {
		if _, err := w.Write([]byte{'<'}); err != nil {
			return err
		}
	}
	return nil
}

func (s sketched) Brief() string { return "quite short" }

// measured is one that says how much of all it is.
type measured struct{ Answer }

func (measured) Extent() string { return "half of it" }

// shared is one that draws who has computed what of it.
type shared struct{ sketched }

func (shared) DrawCredits(w io.Writer, of Attributions) (says string, err error) {
	for _, j := range of.Jobs {
		c := of.Color(j.Peer)
		fmt.Fprintf(w, "%s %02x%02x%02x", j.Peer, c.R, c.G, c.B)
	}
	return "by whom", nil
}

// TestDrawn: an answer is shown by its drawing and by that of who has computed it, each of so many
// bytes at most, and by what it says of itself. So is a run that has no answer so far.
func TestDrawn(t *testing.T) {
	for _, c := range []struct {
		run   any
		is    Answer
		sizes []int
		says  string
	}{
		{nil, sketched{bytes: 3}, []int{3}, "quite short"},
		{nil, sketched{bytes: DrawingMax}, []int{DrawingMax}, "quite short"},
		{nil, sketched{bytes: DrawingMax + 1}, nil, "quite short"},
		{nil, sketched{err: errors.New("nothing to be drawn")}, nil, "quite short"},
		{nil, measured{}, nil, "half of it"},
		{nil, shown(3), nil, ""},
		{nil, shared{sketched{bytes: 3}}, []int{3, len("b/1 0072b2")}, "quite short"},
		{shared{}, nil, []int{len("b/1 0072b2")}, ""},
		{nil, nil, nil, ""},
	} {
		figures, says := drawn(c.run, c.is, creditsOf([]Attribution{{What: "left", Peer: "b/1", Site: "b"}}, Attribution{}))
		var sizes []int
		for _, f := range figures {
			sizes = append(sizes, len(f.Image))
		}
		if !slices.Equal(sizes, c.sizes) || says != c.says {
			t.Errorf("%T is drawn by figures of %d bytes, and %q", c.is, sizes, says)
		}
	}
	var none *easel
	none.look(nil)
	if err := none.close(); err != nil {
		t.Error(err)
	}
}

// TestPaper: what is too large is refused, and nothing of it is taken.
func TestPaper(t *testing.T) {
	var b paper
	b.Write([]byte("<svg"))
	if n, err := b.Write(make([]byte, DrawingMax)); n != 0 || !errors.Is(err, errDrawing) || !bytes.Equal(b.Bytes(), []byte("<svg")) {
		t.Errorf("%d more bytes were taken, %v", n, err)
	}
}

// TestColors: each peer has its own, the master's first. Where there are more peers than colours
// each site has one, and where there are more sites some have none of their own.
func TestColors(t *testing.T) {
	names := func(c Attributions) string {
		var all []string
		for _, k := range c.keys {
			all = append(all, k.Name)
		}
		return strings.Join(all, " ")
	}
	job := func(site string, n int) Attribution {
		return Attribution{Peer: fmt.Sprintf("%s/%d", site, n), Site: site}
	}
	few := creditsOf([]Attribution{job("b", 1), job("b", 2), job("b", 1), {}}, job("a", 1))
	if names(few) != "a/1 b/1 b/2" || few.Color("a/1") != colors[0] || few.Color("b/2") != colors[2] || few.Color("c/1") != otherColor {
		t.Errorf("of few: %s", names(few))
	}
	var many, more []Attribution
	for n := range 9 {
		many = append(many, job("b", n))
		more = append(more, job(fmt.Sprint("s", n), 1))
	}
	if c := creditsOf(many, job("a", 1)); names(c) != "a b" || c.Color("b/0") != colors[1] || c.Color("b/8") != colors[1] {
		t.Errorf("of many: %s", names(c))
	}
	if c := creditsOf(more, Attribution{}); names(c) != "s0 s1 s2 s3 s4 s5 s6 others" || c.Color("s6/1") != colors[6] || c.Color("s8/1") != otherColor {
		t.Errorf("of many sites: %s", names(c))
	}
	if c := creditsOf(nil, Attribution{}); c.keys != nil || c.Color("") != otherColor {
		t.Errorf("of nobody: %v", c.keys)
	}
}

// TestCurve: what was so is drawn as a step, and what is so now is said, however many values there
// were.
func TestCurve(t *testing.T) {
	var c curve
	if _, ok := c.figure(); ok {
		t.Error("of nothing there is a figure")
	}
	start := time.Unix(1e9, 0)
	at := func(second int, best, bound float64) {
		c.add(start.Add(time.Duration(second)*time.Second), best, bound)
	}
	at(0, 900, 0)
	at(10, 900, 0)
	at(50, 200, 100)
	at(50, 200, 100)
	at(100, 180, 100)
	f, ok := c.figure()
	text := string(f.Image)
	if !ok || len(f.Image) > DrawingMax || len(c.points) != 3 || !strings.Contains(text, `>900<`) || !strings.Contains(text, ">1:40<") {
		t.Errorf("%v, %d points:\n%s", ok, len(c.points), text)
	}
	if !strings.Contains(text, `d="M8.0 16.0H320.0V212.0H632.0V217.6H632"`) {
		t.Errorf("the best is drawn otherwise:\n%s", text)
	}
	if want := []node.Legend{{Name: "best so far, 180", Color: bestColor}, {Name: "no answer is better than 100", Color: boundColor}}; !slices.Equal(f.Keys, want) {
		t.Errorf("it says %v", f.Keys)
	}
	at(1000, 180, 101)
	if f, _ := c.figure(); strings.Contains(string(f.Image), ">900<") {
		t.Error("what was so long ago is not cut off")
	}
	for n := range 10 * curveMax {
		at(1001+n, 180, 102+float64(n))
	}
	if is := c.points[len(c.points)-1]; len(c.points) >= curveMax || is.bound != 101+10*curveMax {
		t.Errorf("of %d points the last is %v", len(c.points), is)
	}
	for i, p := range c.points[1:] {
		if p.at < c.points[i].at {
			t.Errorf("point %d is at %v, after %v", i+1, p.at, c.points[i].at)
		}
	}
}

// TestEaselNotesBounds, once for as long as figures are apart, and never again of a run whose
// answers have none.
func TestEaselNotesBounds(t *testing.T) {
	e := &easel{}
	e.sample(stood{answer: bounds{7, 5}})
	e.sample(stood{answer: bounds{6, 5}})
	if len(e.curve.points) != 1 || e.curve.points[0].best != 7 || e.flat {
		t.Errorf("%+v", e.curve.points)
	}
	e = &easel{}
	e.sample(stood{})
	if e.flat {
		t.Error("one without an answer is not asked again")
	}
	e.sampled = time.Time{}
	if e.sample(stood{answer: measured{}}); !e.flat {
		t.Error("one without bounds is asked again")
	}
}

// stood is a run that has an answer so far, or none.
type stood struct {
	Running
	answer Answer
}

func (s stood) Partial() (Answer, bool) { return s.answer, s.answer != nil }

// bounds is an answer that has them.
type bounds struct{ best, bound float64 }

func (bounds) Text(io.Writer) error { return nil }
func (bounds) JSON() any            { return nil }

func (b bounds) Bounds() (best, bound float64) { return b.best, b.bound }
