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

// TestRecordingLooksOn while nobody answers, says so once, and goes on when somebody does. It looks
// once more when it is stopped.
func TestRecordingLooksOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var said bytes.Buffer
		name, asked := filepath.Join(t.TempDir(), "lab.rec"), 0
		r, err := begin(&console.Console{Name: "satin", Err: &said}, name, RecordDefaults, func(context.Context, bool) (s observe.Sample, err error) {
			if asked++; asked == 3 || asked == 4 {
				return s, errors.New("nobody is there")
			}
			return observe.Sample{Grid: "lab"}, nil
		})
		if err != nil {
			t.Fatal(err)
		}
		time.Sleep(5500 * time.Millisecond)
		if err := r.Stop(); err != nil {
			t.Fatal(err)
		}
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		p, looks := looksOf(t, file)
		if !p.Whole || len(looks) != 5 || looks[2].At != 4*time.Second || p.End() != 5500*time.Millisecond {
			t.Errorf("%d looks until %v, whole: %v", len(looks), p.End(), p.Whole)
		}
		if said.String() != "satin: recording: nobody answers; looking on\nsatin: recording: the grid answers again\n" {
			t.Errorf("it says %q", &said)
		}
	})
}

// TestNothingIsRecorded: where nobody answered there is no file.
func TestNothingIsRecorded(t *testing.T) {
	name := filepath.Join(t.TempDir(), "lab.rec")
	r, err := begin(testConsole(), name, RecordDefaults, func(context.Context, bool) (s observe.Sample, err error) {
		return s, errors.New("nobody is there")
	})
	if err != nil {
		t.Fatal(err)
	}
	if err := r.Stop(); err == nil || !strings.Contains(err.Error(), "nothing was seen") {
		t.Errorf("it ends with %v", err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("there is a file: %v", err)
	}
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
		return w.record(stop, name, RecordTerms{Every: everyMin}, 2*time.Second)
	}
	if err := record(); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, looks := looksOf(t, bytes.NewReader(data))
	if !r.Whole || r.Preamble.Grid != "lab" || len(looks) == 0 || len(looks[0].Peers) != 1 || looks[0].Peers[0].ID != first.peer.ID() {
		t.Errorf("%+v: %+v", r.Preamble, looks)
	}
	if err := record(); err == nil || !strings.Contains(err.Error(), "file exists") {
		t.Errorf("over another: %v", err)
	}
	if again, err := os.ReadFile(name); err != nil || !bytes.Equal(again, data) {
		t.Errorf("what was there: %v", err)
	}
}
