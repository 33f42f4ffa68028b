package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/program/admin"
)

// TestPeersNamed shows the peers that are named, by name or id.
func TestPeersNamed(t *testing.T) {
	folder := listening(t, &administered{status: admin.Status{Members: []satin.Member{
		{ID: "id1", Name: "a/1", Site: "a", State: "here", Workers: 2},
		{ID: "id2", Name: "b/1", Site: "b", State: "leaving", Workers: 1},
		{ID: "id3", Name: "c/1", Site: "c", State: "here", Workers: 1},
		{ID: "id4", Name: "c/1", Site: "c", State: "here", Workers: 1},
	}}})
	for line, want := range map[string]string{
		"peers":         "a/1 b/1 c/1 c/1",
		"peers b/1":     "b/1",
		"peers id2":     "b/1",
		"peers id4 a/1": "c/1 a/1",
	} {
		code, out, err := inProcess(append(strings.Fields(line), "--state", folder)...)
		var names []string
		for _, row := range strings.Split(strings.TrimSpace(out), "\n")[1:] {
			names = append(names, strings.Fields(row)[0])
		}
		if got := strings.Join(names, " "); code != exitOK || got != want {
			t.Errorf("%s: exit %d, %q, %q; wanted %q", line, code, got, err, want)
		}
	}
	const row = `{"schema":1,"peers":[{"name":"b/1","id":"id2","site":"b","state":"leaving","workers":1,"addrs":[]}]}` + "\n"
	if _, out, _ := inProcess("peers", "b/1", "--json", "--state", folder); out != row {
		t.Errorf("peers b/1 --json prints %s, wanted %s", out, row)
	}
	for line, want := range map[string]string{
		"peers b/2":     "satin: there is no peer \"b/2\"; there are a/1, b/1, c/1 and c/1\n",
		"peers a/1 b/2": "satin: there is no peer \"b/2\"; there are a/1, b/1, c/1 and c/1\n",
		"peers c/1":     "satin: several peers are called c/1: say which by its id, id3 or id4\n",
		"status a/1":    "satin: status takes no argument, but there is \"a/1\"\n",
	} {
		if code, out, err := inProcess(append(strings.Fields(line), "--state", folder)...); code != exitUsage || out != "" || err != want {
			t.Errorf("%s: exit %d, %q, %q; wanted %q", line, code, out, err, want)
		}
	}
}

// TestPages are printed one after the other into a file, and one in the place of
// the other on a screen.
func TestPages(t *testing.T) {
	for screen, want := range map[bool]string{false: "one\n\ntwo\n\n", true: "\x1b[H\x1b[2Jone\n\x1b[H\x1b[2Jtwo\n"} {
		var out bytes.Buffer
		// that stderr is one says nothing about stdout
		con := &console{out: &out, err: io.Discard, screen: screen, terminal: 2}
		for _, word := range []string{"one", "two"} {
			if err := con.page(true, func(p *printer) { p.line("%s", word) }); err != nil {
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
		con := newConsole(c.out, c.err)
		if con.screen != c.screen || (con.terminal >= 0) != c.shows {
			t.Errorf("stdout %s, stderr %s, TERM=%s: %+v", c.out.Name(), c.err.Name(), c.term, con)
		}
	}
}
