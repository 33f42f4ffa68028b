package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/p2p/ticket"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// administered is a node that does what it is told to by a test.
type administered struct {
	status admin.Status
	do     func(ctx context.Context, r admin.Request, say func(string)) error
}

func (o *administered) Status() admin.Status { return o.status }

func (o *administered) Do(ctx context.Context, r admin.Request, say func(string)) error {
	return o.do(ctx, r, say)
}

// listening is the state folder of such a node.
func listening(t *testing.T, o *administered) string {
	t.Helper()
	folder := t.TempDir()
	s, err := admin.Listen(folder, o)
	if err != nil {
		t.Skip("no unix sockets here: ", err)
	}
	t.Cleanup(func() { s.Close() })
	return folder
}

// TestTargetsAreTyped sets what an action acts on in the environment, where it does not count.
func TestTargetsAreTyped(t *testing.T) {
	for name, value := range map[string]string{"SITE": "delft", "SELF": "1", "FROM": "a", "TO": "b", "UNDO": "1"} {
		t.Setenv("SATIN_"+name, value)
	}
	var told admin.Request
	folder := listening(t, &administered{do: func(_ context.Context, r admin.Request, _ func(string)) error {
		told = r
		return nil
	}})
	for line, want := range map[string]string{
		"leave":            "satin: leave who? ",
		"migrate":          "satin: migrate needs two sites: ",
		"migrate --from c": "satin: migrate needs two sites: ",
	} {
		if code, _, err := inProcess(append(strings.Fields(line), "--state", folder)...); code != console.ExitUsage || !strings.HasPrefix(err, want) {
			t.Errorf("%s: exit %d, %q, wanted %q", line, code, err, want)
		}
	}
	if code, _, err := inProcess("leave", "b/1", "--state", folder); code != console.ExitOK || told.Site != "" || told.Self || len(told.Peers) != 1 {
		t.Errorf("leave: exit %d, %q; the node is told %+v", code, err, told)
	}
	if code, _, err := inProcess("kick", "b/1", "--state", folder); code != console.ExitOK || told.Undo {
		t.Errorf("kick: exit %d, %q; the node is told %+v", code, err, told)
	}
	if _, out, _ := inProcess("help", "leave"); strings.Count(out, "; not from the environment\n") != 2 {
		t.Errorf("the help says\n%s", out)
	}
}

// invited is a ticket of grid lab in the environment.
func invited(t *testing.T) (word string) {
	t.Helper()
	tk, err := ticket.New("lab")
	if err == nil {
		tk, err = tk.Invite(anyAddr)
	}
	if err == nil {
		word, err = tk.Encode()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(ticketVariable, word)
	return word
}

// anyAddr is an address at which nobody answers.
const anyAddr = "/ip4/127.0.0.1/tcp/1/p2p/12D3KooWEBMd4ecnXnVGtTyNBG3UKhcRRM6LFnpKpbyBmFyLYsYx"

// TestInviteWithTicketInEnvironment: the secret there is no name of a file, and is not printed.
func TestInviteWithTicketInEnvironment(t *testing.T) {
	word := invited(t)
	t.Chdir(t.TempDir())
	folder := listening(t, &administered{status: admin.Status{Addrs: []string{anyAddr}}})
	if code, _, err := inProcess("key", "new", "--grid", "lab", "--state", folder); code != console.ExitOK {
		t.Fatal(err)
	}
	code, out, said := inProcess("key", "invite", "--state", folder)
	if code != console.ExitOK || !strings.HasPrefix(out, "wrote lab.ticket, ") || strings.Contains(out+said, word) {
		t.Errorf("exit %d, %q, %q", code, out, said)
	}
	if all, err := filepath.Glob("*"); err != nil || len(all) != 1 || all[0] != "lab.ticket" {
		t.Errorf("it wrote %q (%v)", all, err)
	}
}

// wantedBy is where a command line of run says to compute.
func wantedBy(t *testing.T, args ...string) (w *wanted, said string, err error) {
	t.Helper()
	var heard bytes.Buffer
	con := &console.Console{Name: "satin", Out: io.Discard, Err: &heard, Terminal: -1}
	root := commands(con)
	for _, c := range root.Command("run").Subcommands {
		c.Action = func(c *cli.Context) error {
			w, err = placeWanted(con, c)
			return nil
		}
	}
	arranged, failure := argv(con, root, append([]string{"run", "fib"}, args...))
	if failure == nil {
		console.NoteTyped(root, arranged)
		failure = root.Run(append([]string{root.Name}, arranged...))
	}
	if failure != nil {
		t.Fatal(failure)
	}
	return w, heard.String(), err
}

// TestWhereToCompute has a grid's ticket in the environment. What is typed counts; without, it is
// said what grid is joined.
func TestWhereToCompute(t *testing.T) {
	word := invited(t)
	file := filepath.Join(t.TempDir(), "lab")
	if err := os.WriteFile(file, []byte(word), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		env, line string
		where     string // the processes here, or what leads to a grid
		said      string
	}{
		{"", "", "the grid of SATIN_TICKET", "satin: computing on grid lab, as SATIN_TICKET says\n"},
		{"", "--workers 2", "here", ""},
		{"", "--sites a:2", "a:2", ""},
		{"", "--join " + file, file, ""},
		{"SATIN_WORKERS=2", "", "the grid of SATIN_TICKET", "satin: computing on grid lab, as SATIN_TICKET says\n"},
		{"SATIN_JOIN=" + file, "", file, "satin: computing on grid lab, as SATIN_JOIN says\n"},
		{"SATIN_JOIN=" + file, "--workers 2", "here", ""},
		{"SATIN_SITES=b:1", "", "b:1", ""},
		{"SATIN_SITES=b:1", "--workers 2", "here", ""},
		{"SATIN_SITES=b:1", "--join " + file, file, ""},
	} {
		t.Run(c.env+" "+c.line, func(t *testing.T) {
			if name, value, ok := strings.Cut(c.env, "="); ok {
				t.Setenv(name, value)
			}
			w, said, err := wantedBy(t, strings.Fields(c.line)...)
			if err != nil {
				t.Fatal(err)
			}
			where := "here"
			switch {
			case w.join != nil:
				where = w.join.said
			case w.sites != nil:
				where = w.sites[0].String()
			}
			if where != c.where || said != c.said {
				t.Errorf("computes at %q and says %q; wanted %q and %q", where, said, c.where, c.said)
			}
		})
	}
	for line, want := range map[string]string{
		"--sites a:2 --join x":    "--sites makes a grid and --join uses one",
		"--workers 2 --join x":    "--workers is for a run in one process; ",
		"--workers 2 --state x":   "--state has the grid's secret for --join with an address, ",
		"--sites a:2 --state x":   "--state has the grid's secret for --join with an address, ",
		"--workers 2 --copies 1s": "--copies needs --sites, ",
	} {
		if _, _, err := wantedBy(t, strings.Fields(line)...); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%s: %v, wanted %q", line, err, want)
		}
	}
}

// TestCopiesOff: off is never, and not the default.
func TestCopiesOff(t *testing.T) {
	for line, never := range map[string]bool{"--sites a:2 --copies off": true, "--sites a:2 --copies 3s": false, "--sites a:2": false} {
		w, _, err := wantedBy(t, strings.Fields(line)...)
		if err != nil {
			t.Fatal(err)
		}
		var config satin.Config
		if w.care.Apply(&config); (config.CopyEvery < 0) != never || config.CopyEvery == 0 {
			t.Errorf("%s: copies every %v", line, config.CopyEvery)
		}
	}
}
