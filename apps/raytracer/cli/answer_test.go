package cli

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/apps/raytracer"
	"satingrid/satin/program"
	"satingrid/satin/program/programtest"
)

// said is a run that makes one statement after the other, and has ended from the last but one on.
type said struct {
	program.Running
	statements []raytracer.Image
	file       *program.Output
	done       chan struct{}
}

func (r *said) Done() <-chan struct{} { return r.done }

func (r *said) Partial() (program.Answer, bool) {
	if len(r.statements) == 0 {
		return nil, false
	}
	m := r.statements[0]
	if len(r.statements) > 1 {
		r.statements = r.statements[1:]
	}
	return answer{image: m, file: r.file}, true
}

// statement tells of some tiles of 4×4 pixels, one row of them.
func statement(n int, tiles ...int) raytracer.Image {
	m := raytracer.Image{Width: 16, Height: 4, Tiles: 4, Said: n}
	for _, x := range tiles {
		m.Parts = append(m.Parts, raytracer.Part{Place: raytracer.Tile{X0: 4 * x, X1: 4*x + 4, Y1: 4}, Pixels: make([]byte, 64)})
	}
	return m
}

func extentOf(t *testing.T, w *showing) string {
	t.Helper()
	a, ok := w.Partial()
	if !ok {
		return ""
	}
	return a.(answer).Extent()
}

// TestStatementsAreAddedUp: each look adds what is new to the picture so far. That of a run in this
// process waits at the end for the statement that has all.
func TestStatementsAreAddedUp(t *testing.T) {
	last := statement(4, 0, 1, 2)
	last.Ends = true
	ended := make(chan struct{})
	close(ended)
	for _, alone := range []bool{true, false} {
		r := &said{done: make(chan struct{})}
		w := &showing{Running: r, canvas: raytracer.Render{Width: 16, Height: 4}.Canvas(), alone: alone}
		if got := extentOf(t, w); got != "" {
			t.Errorf("before the first statement it says %q", got)
		}
		r.statements = []raytracer.Image{statement(1), statement(2, 3), statement(3, 1), statement(3, 1), last}
		for _, want := range []string{"0 of 4", "1 of 4", "2 of 4"} {
			if got := extentOf(t, w); got != want+" tiles are finished, the rest is a sketch" {
				t.Errorf("it says %q, not %s", got, want)
			}
		}
		r.done = ended
		want := "2 of 4"
		if alone {
			want = "4 of 4"
		}
		if got := extentOf(t, w); got != want+" tiles are finished, the rest is a sketch" {
			t.Errorf("at the end it says %q, not %s; alone: %v", got, want, alone)
		}
	}
}

// TestFollowWritesWhatIsNew: with --watch the picture is written when there is more of it, and
// without it nothing is.
func TestFollowWritesWhatIsNew(t *testing.T) {
	folder := t.TempDir()
	file, err := program.OpenOutput("-o", filepath.Join(folder, "a.png"))
	if err != nil {
		t.Fatal(err)
	}
	r := &said{done: make(chan struct{}), file: file, statements: []raytracer.Image{statement(1), statement(2, 3), statement(3, 3)}}
	w := &showing{Running: r, canvas: raytracer.Render{Width: 16, Height: 4}.Canvas()}
	w.Follow()
	programtest.Alone(t, folder)
	w.watch = true
	w.Follow()
	programtest.Alone(t, folder, "a.png")
	first := w.written
	if w.Follow(); w.done != 1 || w.written != first {
		t.Errorf("%d tiles are written, again at once: %v", w.done, w.written != first)
	}
	first = first.Add(-watchEvery - time.Second)
	w.written = first
	if w.Follow(); w.written != first {
		t.Error("a picture that has no more is written again")
	}
	r.statements = []raytracer.Image{statement(4, 0)}
	if w.Follow(); w.written == first || w.done != 2 {
		t.Errorf("a picture that has more is not written: %d tiles", w.done)
	}
}

// TestWatches: where somebody looks on, a file that was not there is written again and again.
func TestWatches(t *testing.T) {
	open := func(name string) *program.Output {
		file, err := program.OpenOutput("-o", name)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	folder, in := programtest.Folder(t, map[string]string{"old.png": "a picture"})
	picture, old, device := open(filepath.Join(folder, "a.png")), open(in("old.png")), open(os.DevNull)
	for _, c := range []struct {
		flags          []string
		watched        bool
		file           *program.Output
		shows, watches bool
	}{
		{nil, true, picture, true, true},
		{nil, false, picture, true, false},
		{nil, true, device, true, false},
		{nil, true, old, true, false},
		{nil, true, nil, true, false},
		{nil, true, picture, false, false},
		{[]string{"--watch=false"}, true, picture, true, false},
		{[]string{"--watch"}, false, picture, true, true},
		{[]string{"--watch"}, false, device, true, true},
	} {
		app := &cli.App{Flags: Application().AnswerFlags, Action: func(on *cli.Context) error {
			if is, err := watches(on, c.watched, c.file, c.shows); is != c.watches || err != nil {
				t.Errorf("%+v: %v, %v", c, is, err)
			}
			return nil
		}}
		if err := app.Run(append([]string{"raytracer"}, c.flags...)); err != nil {
			t.Error(err)
		}
	}
}
