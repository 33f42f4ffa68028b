package main

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
	"satingrid/satin/ticket"
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

func (o *administered) Over() bool { return false }

func (o *administered) Story(string, int) (runs.Story, error) { return runs.Story{Over: true}, nil }

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
	if _, out, _ := inProcess("help", "leave"); strings.Count(out, "; not from the environment\n") != 3 {
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
	t.Setenv("SATIN_TICKET", word)
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
