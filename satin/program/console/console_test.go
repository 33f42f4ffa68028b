package console

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"satingrid/satin"
)

// TestNamedAfterTheProgram: what a program says, reads and keeps bears its name, and what the
// library says to type does, too.
func TestNamedAfterTheProgram(t *testing.T) {
	t.Setenv("XDG_STATE_HOME", "/state")
	var said bytes.Buffer
	c := &Console{Name: "merge-sort", Out: io.Discard, Err: &said, Terminal: -1}
	if got := c.Variable("result-max"); got != "MERGE_SORT_RESULT_MAX" {
		t.Error(got)
	}
	if got := c.StateFolder(""); got != filepath.Join("/state", "merge-sort") {
		t.Error(got)
	}
	if got := c.StateFolder("given"); got != "given" {
		t.Error(got)
	}
	code := c.Report(fmt.Errorf("satin: no: ask a member for a ticket: `satin key invite`; %w", &Error{ExitRefused, "it is refused"}))
	c.Log("a peer: ").Warn("barred; satin kick --undo lets it in", "peer", "a/1", "tries", 2)
	const want = "merge-sort: no: ask a member for a ticket: `merge-sort key invite`; it is refused\n" +
		"merge-sort: a peer: barred; merge-sort kick --undo lets it in: peer a/1, tries 2\n"
	if said.String() != want || code != ExitRefused {
		t.Errorf("exit %d, %q, wanted %q", code, &said, want)
	}
}

// TestReport: an error without a code of its own is a failure, one without words says nothing.
func TestReport(t *testing.T) {
	var said bytes.Buffer
	c := &Console{Name: "sort", Err: &said, Terminal: -1}
	for _, x := range []struct {
		err  error
		code int
		said string
	}{
		{nil, ExitOK, ""},
		{errors.New("broken"), ExitFailed, "sort: broken\n"},
		{Usage("--n is %d", 3), ExitUsage, "sort: --n is 3\n"},
		{&satin.RefusedError{Why: "it is full"}, ExitRefused, "sort: it is full\n"},
		{&Error{Code: 20}, 20, ""},
	} {
		said.Reset()
		if code := c.Report(x.err); code != x.code || said.String() != x.said {
			t.Errorf("%v: exit %d, %q", x.err, code, &said)
		}
	}
}

// TestPages are printed one after the other into a file, and one in the place of
// the other on a screen.
func TestPages(t *testing.T) {
	for screen, want := range map[bool]string{false: "one\n\ntwo\n\n", true: "\x1b[H\x1b[2Jone\n\x1b[H\x1b[2Jtwo\n"} {
		var out bytes.Buffer
		// that stderr is one says nothing about stdout
		con := &Console{Name: "satin", Out: &out, Err: io.Discard, Screen: screen, Terminal: 2}
		for _, word := range []string{"one", "two"} {
			if err := con.Page(true, func(p *Printer) { p.Line("%s", word) }); err != nil {
				t.Fatal(err)
			}
		}
		if out.String() != want {
			t.Errorf("on a screen: %v: %q, wanted %q", screen, &out, want)
		}
	}
}

// TestConsole finds out what is a terminal.
func TestConsole(t *testing.T) {
	terminal, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("there is no /dev/ptmx")
	}
	defer terminal.Close()
	file, err := os.Create(filepath.Join(t.TempDir(), "out"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	for _, c := range []struct {
		out, err      *os.File
		term          string
		screen, shows bool // clears a screen, and draws a line that changes
	}{
		{terminal, terminal, "xterm", true, true},
		{terminal, terminal, "dumb", false, false},
		{file, terminal, "xterm", false, true},
		{terminal, file, "xterm", true, false},
	} {
		t.Setenv("TERM", c.term)
		con := New("satin", c.out, c.err)
		if con.Screen != c.screen || (con.Terminal >= 0) != c.shows {
			t.Errorf("stdout %s, stderr %s, TERM=%s: %+v", c.out.Name(), c.err.Name(), c.term, con)
		}
	}
}

// TestUnless: a signal ends what is being done. Where it is done all the same it is to be closed in
// order, and the signal is still there for who does that.
func TestUnless(t *testing.T) {
	err := new(Interrupts).Unless("", func(context.Context) error { panic("no shape") })
	if err == nil || !strings.HasSuffix(err.Error(), ": no shape") || stackOf(err) == nil {
		t.Errorf("a panic is %v", err)
	}
	late := make(chan os.Signal, 1)
	late <- syscall.SIGTERM
	err = (&Interrupts{First: late, first: late}).Unless("interrupted", func(ctx context.Context) error {
		<-ctx.Done()
		panic("no shape")
	})
	if err == nil || !strings.HasSuffix(err.Error(), ": no shape") {
		t.Errorf("a panic after the signal is %v", err)
	}
	for _, c := range []struct {
		name string
		err  error
		code int
	}{{"ended", context.Canceled, ExitSignal + 15}, {"done all the same", nil, ExitOK}} {
		first := make(chan os.Signal, 1)
		in := &Interrupts{First: first, first: first}
		first <- syscall.SIGTERM
		err := in.Unless("interrupted", func(ctx context.Context) error {
			<-ctx.Done()
			return c.err
		})
		var told *Error
		if code := 0; errors.As(err, &told) {
			code = told.Code
			if code != c.code || len(first) != 0 {
				t.Errorf("%s: exit code %d, and %d signals are left", c.name, code, len(first))
			}
		} else if err != nil || c.code != 0 || len(first) != 1 {
			t.Errorf("%s: %v, and %d signals are left", c.name, err, len(first))
		}
	}
}
