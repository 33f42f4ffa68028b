package node

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
	"satingrid/satin/ticket"
)

// looksOf reads a recording.
func looksOf(t *testing.T, from io.Reader) (*recording.Playback, []recording.Look) {
	t.Helper()
	r, err := recording.Open(from)
	if err != nil {
		t.Fatal(err)
	}
	var looks []recording.Look
	for {
		l, err := r.Next()
		switch {
		case errors.Is(err, io.EOF):
			return r, looks
		case err != nil:
			t.Fatal(err)
		}
		looks = append(looks, l)
	}
}

// TestTapeLooksOn while nobody answers, says so once, and goes on when somebody does.
func TestTapeLooksOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said, to bytes.Buffer
		asked := 0
		tape := &tape{con: &console.Console{Name: "lab", Err: &said}, began: time.Now()}
		tape.to = recording.NewRecorder(&to, tape.began, time.Second)
		tape.look = func(context.Context) (s observe.Sample, err error) {
			if asked++; asked == 3 || asked == 4 {
				return s, errors.New("nobody is there")
			}
			return observe.Sample{Grid: "lab"}, nil
		}
		ctx, cancel := context.WithTimeout(t.Context(), 5500*time.Millisecond)
		defer cancel()
		if err := tape.run(ctx); err != nil {
			t.Fatal(err)
		}
		r, looks := looksOf(t, &to)
		if !r.Whole || len(looks) != 4 || looks[2].At != 4*time.Second || r.End() != 5500*time.Millisecond {
			t.Errorf("%d looks until %v, whole: %v", len(looks), r.End(), r.Whole)
		}
		if said.String() != "lab: nobody answers: looking on\nlab: the grid answers again\n" {
			t.Errorf("it says %q", &said)
		}
	})
}

// TestRecord: what a grid does, by a ticket, until the time is up; a file that is there stays as it
// is.
func TestRecord(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	first := opened(t, lab, "a")
	lab.Addrs = first.peer.Addrs()
	w := &Where{con: testConsole(), state: t.TempDir(), by: &Invitation{Ticket: lab, Said: "lab.ticket"}}
	name := filepath.Join(t.TempDir(), "lab.rec")
	record := func() error {
		stop := w.con.Catch(nil)
		defer stop.Release()
		return w.record(stop, name, everyMin, 2*time.Second)
	}
	if err := record(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, looks := looksOf(t, bytes.NewReader(data))
	if !r.Whole || r.Head.Grid != "lab" || len(looks) == 0 || len(looks[0].Peers) != 1 || looks[0].Peers[0].ID != first.peer.ID() {
		t.Errorf("%+v: %+v", r.Head, looks)
	}
	if err := record(); err == nil || !strings.Contains(err.Error(), "file exists") {
		t.Errorf("over another: %v", err)
	}
	if again, err := os.ReadFile(name); err != nil || !bytes.Equal(again, data) {
		t.Errorf("what was there: %v", err)
	}
}
