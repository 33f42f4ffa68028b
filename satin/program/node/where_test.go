package node

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
	"satingrid/satin/ticket"
)

// whereOf is where a command line leads that is about a run.
func whereOf(t *testing.T, word string, args ...string) (w *Where, err error) {
	t.Helper()
	con := testConsole()
	app := &cli.App{Flags: WhereFlags(con), Action: func(c *cli.Context) error {
		w, err = WhereOf(con, c, word)
		return nil
	}}
	for _, f := range app.Flags { // as package program does
		f.(*cli.StringFlag).EnvVars = []string{con.Variable(f.Names()[0])}
	}
	console.NoteTyped(app, args)
	if failed := app.Run(append([]string{"satin"}, args...)); failed != nil {
		t.Fatal(failed)
	}
	return w, err
}

// ticketOf is a file with a ticket of a grid of that name.
func ticketOf(t *testing.T, grid string) (file string, tk ticket.Ticket) {
	t.Helper()
	tk, err := ticket.New(grid)
	if err == nil {
		tk, err = tk.Invite("/ip4/127.0.0.1/tcp/1/p2p/12D3KooWEBMd4ecnXnVGtTyNBG3UKhcRRM6LFnpKpbyBmFyLYsYx")
	}
	file = filepath.Join(t.TempDir(), grid+".ticket")
	if err == nil {
		err = ticket.Save(file, tk)
	}
	if err != nil {
		t.Fatal(err)
	}
	return file, tk
}

// TestWhere: what is typed holds, then how a run was submitted from here, then the environment,
// then the node that runs here.
func TestWhere(t *testing.T) {
	state := t.TempDir()
	typed, _ := ticketOf(t, "typed")
	other, _ := ticketOf(t, "other")
	inEnvironment, _ := ticketOf(t, "environment")
	gone := filepath.Join(t.TempDir(), "gone")
	now := time.Now()
	for n, one := range []runs.One{
		{ID: "abcd", Grid: "other", Join: other}, {ID: "ef01", Grid: "here"}, {ID: "2345", Grid: "lost", Join: gone},
	} {
		one.At = now.Add(time.Duration(n) * time.Second)
		if err := runs.SubmittedIn(state).Note(one); err != nil {
			t.Fatal(err)
		}
	}
	here := []string{"--state", state}
	for _, c := range []struct {
		env, word string
		args      []string
		run, grid string // "": that of the node
	}{
		{"", "", here, "", ""},
		{"", "99", here, "99", ""},
		{"", "", []string{"--join", typed}, "", "typed"},
		{"", "AB", here, "AB", "other"},
		{"", "abcd", append(here, "--join", typed), "abcd", "typed"},
		{"", "ef", here, "ef", ""},
		{"", runs.Last, here, "2345", ""}, // its ticket is gone
		{inEnvironment, "", nil, "", "environment"},
		{inEnvironment, "", here, "", ""}, // the folder is typed
		{inEnvironment, "abcd", here, "abcd", "other"},
		{inEnvironment, "", []string{"--join", typed}, "", "typed"},
	} {
		t.Setenv("SATIN_JOIN", c.env)
		w, err := whereOf(t, c.word, c.args...)
		if err != nil || w.Run != c.run || w.Grid() != c.grid {
			t.Errorf("%q %q with %q leads to %+v, %v; wanted run %q on %q", c.word, c.args, c.env, w, err, c.run, c.grid)
		}
	}
	if _, err := whereOf(t, runs.Last, "--state", t.TempDir()); err == nil || !strings.HasPrefix(err.Error(), "there is no run @last: none was submitted with state folder ") {
		t.Error(err)
	}
	if _, err := whereOf(t, "", "--join", gone); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Error(err)
	}
}

// answering is a node that knows one run.
type answering struct{ admin.Node }

func (answering) Status() admin.Status {
	return admin.Status{Addrs: []string{"/ip4/127.0.0.1/tcp/2/p2p/12D3KooWEBMd4ecnXnVGtTyNBG3UKhcRRM6LFnpKpbyBmFyLYsYx"}}
}

// TestWhereByTheNode: a run that was submitted by a ticket is asked for at the node of the same
// grid that runs here, and a client comes in by its addresses, with the secret of its folder. Where
// that is may be said while it is found out.
func TestWhereByTheNode(t *testing.T) {
	state := t.TempDir()
	file, tk := ticketOf(t, "lab")
	if err := runs.SubmittedIn(state).Note(runs.One{ID: "abcd", Grid: "lab", Join: file}); err != nil {
		t.Fatal(err)
	}
	w, err := whereOf(t, "abcd", "--state", state)
	if err != nil || w.Grid() != "lab" || w.Said() != file {
		t.Errorf("without a node it leads to %+v, %v", w, err)
	}
	if err := ticket.SetGrid(state, tk); err != nil {
		t.Fatal(err)
	}
	server, err := admin.Listen(state, answering{})
	if err != nil {
		t.Skip("no unix sockets here: ", err)
	}
	defer server.Close()
	if w, err = whereOf(t, "abcd", "--state", state); err != nil || w.Grid() != "" {
		t.Errorf("with a node it leads to %+v, %v", w, err)
	}
	var slow sync.WaitGroup // as console.WhileSlow does: for the race detector
	slow.Go(func() {
		if said := w.Said(); !strings.HasPrefix(said, "the ") {
			t.Errorf("meanwhile it leads to %q", said)
		}
	})
	by, err := w.Invitation()
	slow.Wait()
	if err != nil || by.Ticket.Secret != tk.Secret || len(by.Ticket.Addrs) != 1 || !strings.HasPrefix(by.Ticket.Addrs[0], "/ip4/127.0.0.1/tcp/2/") {
		t.Errorf("a client comes in by %+v, %v", by, err)
	}
	if back := w.Back("watch", "0123456789abcdef"); back != "satin watch 01234567" {
		t.Errorf("it is come back to by %q", back)
	}
	none, err := whereOf(t, "", "--state", t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if _, err := none.Invitation(); err == nil || !strings.Contains(err.Error(), "give a ticket with --join") {
		t.Errorf("where no node runs: %v", err)
	}
}

// TestRunIsNotedWithWhereItIs: a ticket's file is remembered from anywhere, and a ticket itself
// never.
func TestRunIsNotedWithWhereItIs(t *testing.T) {
	file, tk := ticketOf(t, "lab")
	t.Chdir(filepath.Dir(file))
	word, err := tk.Encode()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ join, env, noted, back string }{
		{"lab.ticket", "", file, "satin watch 0a1b2c3d"},
		{"", word, "", "satin watch 0a1b2c3d --join TICKET"},
	} {
		t.Setenv("SATIN_TICKET", c.env)
		state := t.TempDir()
		w, err := WhereJoined(testConsole(), c.join, state)
		if err != nil {
			t.Fatal(err)
		}
		w.Note(runs.One{ID: "0a1b2c3d4e", Label: "fib 3", At: time.Now()})
		one := runs.SubmittedIn(state).Find(runs.Last)[0]
		if one.Grid != "lab" || one.Join != c.noted || w.Back("watch", one.ID) != c.back {
			t.Errorf("%q: %+v; it is come back to by %q", c.join, one, w.Back("watch", one.ID))
		}
		text, err := os.ReadFile(filepath.Join(state, "submitted", "0a1b2c3d4e.json"))
		if err != nil || bytes.Contains(text, []byte(word)) {
			t.Errorf("%s, %v", text, err)
		}
	}
}

// TestClientFolder: whatever a grid is called, what its clients keep is in a folder of its own.
func TestClientFolder(t *testing.T) {
	seen := map[string]string{}
	for _, grid := range []string{"lab", "..", ".", "a/b", "a%2Fb", "LAB.ticket"} {
		folder := clientFolder("/s", grid)
		if filepath.Dir(folder) != filepath.Join("/s", "clients") || seen[folder] != "" {
			t.Errorf("grid %q has folder %s, as %q has", grid, folder, seen[folder])
		}
		seen[folder] = grid
	}
}
