package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// startIn starts a node that comes in through a folder of tickets, and does not wait for it.
func startIn(t *testing.T, dir string, args ...string) *node {
	t.Helper()
	return startAgainIn(t, dir, filepath.Join(t.TempDir(), "state"), args...)
}

// startAgainIn is startIn with a state folder that there may be.
func startAgainIn(t *testing.T, dir, state string, args ...string) *node {
	t.Helper()
	n := &node{folder: state, log: filepath.Join(t.TempDir(), "log")}
	n.process = exec.Command(binary, append([]string{"node", "--workers", "1", "--listen", anyPort, "--state", n.folder, "--join", dir}, args...)...)
	out, err := os.Create(n.log + ".out")
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	n.process.Stdout = out
	begin(t, n.process, n.log)
	return n
}

// introduced is how a node that came in through a folder has introduced itself.
func (n *node) introduced(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile(n.log + ".out")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// tickets are the files of the members of a folder.
func tickets(t *testing.T, dir string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.member"))
	if err != nil {
		t.Fatal(err)
	}
	return names
}

// founds starts a node in an empty folder that is stopped when it has claimed to found the grid and
// nobody is told of it yet.
func founds(t *testing.T) (dir string, founder *node) {
	t.Helper()
	for range 20 { // whoever is too fast has founded it
		dir = t.TempDir()
		founder = startIn(t, dir)
		claims := func() int {
			names, err := filepath.Glob(filepath.Join(dir, "founding.*"))
			if err != nil {
				t.Fatal(err)
			}
			return len(names)
		}
		await.Until(t, "somebody founds", func() bool { return claims() > 0 || len(tickets(t, dir)) > 0 })
		founder.process.Process.Signal(syscall.SIGSTOP)
		awaitStopped(t, founder.process)
		if claims() == 1 && len(tickets(t, dir)) == 0 {
			return dir, founder
		}
		founder.kill()
	}
	t.Fatal("no founder was stopped half-way")
	return "", nil
}

// TestFolderOfTickets: many nodes start at once on a folder while one that founds is half-way, and
// is killed there. They become one grid, with one secret. When all have left, any of them starts
// again and the others find it; when all are killed, too.
func TestFolderOfTickets(t *testing.T) {
	t.Parallel()
	dir, founder := founds(t)
	secret, err := os.ReadFile(filepath.Join(dir, ticket.GridFile))
	if err != nil {
		t.Fatal(err)
	}
	nodes := make([]*node, 5)
	for i := range nodes {
		nodes[i] = startIn(t, dir)
	}
	for _, n := range nodes {
		n.awaitSaid(t, "waiting for its ticket")
	}
	founder.kill()
	awaitAll(t, nodes)
	if got := tickets(t, dir); len(got) != len(nodes) {
		t.Errorf("there are the tickets %v", got)
	}
	for _, n := range nodes {
		if strings.Contains(n.said(t), "goes on alone") {
			t.Errorf("%s began beside the founder", n.folder)
		}
	}
	if got := runBinary(t, nil, "run", "nqueens", "8", "--join", dir); got.out != "92\n" {
		t.Errorf("a client comes in through the folder: exit %d, %q", got.code, got.err)
	}
	again := func(first int) {
		for i := range nodes {
			// the last but one has neither founded nor left the last ticket
			i = (first + i) % len(nodes)
			nodes[i] = startAgainIn(t, dir, nodes[i].folder)
			if i == first {
				awaitAll(t, nodes[i:i+1])
			}
		}
		awaitAll(t, nodes)
	}
	for _, n := range nodes {
		n.end()
	}
	if got := tickets(t, dir); len(got) != 1 {
		t.Errorf("after all have left there are %v", got)
	}
	again(len(nodes) - 2)
	for _, n := range nodes {
		n.process.Process.Kill()
	}
	for _, n := range nodes {
		n.kill()
	}
	again(0)
	if is, err := os.ReadFile(filepath.Join(dir, ticket.GridFile)); err != nil || string(is) != string(secret) {
		t.Errorf("the folder has another secret than in the beginning: %v", err)
	}
}

// TestFolderLeadsBackToTheClient: all nodes are killed while a client that came in through a folder
// waits, and a new one comes there that has met nobody. Before the tickets of the dead name the
// client the two meet by the folder, and later by what these say. Whoever comes so is let in by the
// client, and begins nothing beside.
func TestFolderLeadsBackToTheClient(t *testing.T) {
	t.Parallel()
	for _, isNamed := range []bool{false, true} {
		t.Run(fmt.Sprint("named ", isNamed), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			old := startIn(t, dir)
			awaitAll(t, []*node{old})
			words, want := []string{"fib", "40"}, "102334155\n"
			if isNamed {
				words, want = []string{"fib", "90"}, ""
			}
			var answer bytes.Buffer
			c := exec.Command(binary, append([]string{"run", "--join", dir}, words...)...)
			c.Stdout = &answer
			begin(t, c, filepath.Join(t.TempDir(), "log"))
			var client []string
			old.await(t, "at work for a client", func(s admin.Status) bool {
				client = s.Others
				return len(client) > 0 && len(s.Runs) > 0
			})
			if isNamed {
				await.Until(t, "its ticket names the client", func() bool {
					posted, err := ticket.Load(tickets(t, dir)[0])
					return err == nil && slices.Contains(posted.Addrs, client[0])
				})
			}
			old.kill()
			fresh := startIn(t, dir)
			awaitAll(t, []*node{fresh})
			fresh.await(t, "at work for the client", func(s admin.Status) bool { return len(s.Runs) > 0 })
			if isNamed {
				if began := fresh.introduced(t); !strings.Contains(began, "has joined grid") {
					t.Errorf("it was not let in by the client: %q", began)
				}
				return
			}
			c.Wait()
			if code := c.ProcessState.ExitCode(); code != console.ExitOK || answer.String() != want {
				t.Errorf("exit %d, %q", code, &answer)
			}
		})
	}
}

// TestFounderDiesHalfway: whoever has made the secret, or claimed to found, and dies,
// holds nobody up for long.
func TestFounderDiesHalfway(t *testing.T) {
	t.Parallel()
	for _, after := range []time.Duration{0, 20 * time.Millisecond, 60 * time.Millisecond} {
		t.Run(fmt.Sprint(after), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			first := startIn(t, dir)
			await.UntilOr(t, func() bool {
				claims, _ := filepath.Glob(filepath.Join(dir, "founding.*"))
				return len(claims) > 0 || len(tickets(t, dir)) > 0
			}, func() string { return "nobody founds" })
			time.Sleep(after) // the moments differ: nothing says how far it is
			first.kill()
			nodes := []*node{startIn(t, dir), startIn(t, dir), startIn(t, dir)}
			awaitAll(t, nodes)
		})
	}
}

// TestFolderThatIsNone: a folder that others may write in is refused, and so is a
// client where nobody is.
func TestFolderThatIsNone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	refused(t, console.ExitRefused, "no node has published its ticket there yet", "run", "fib", "20", "--join", dir)
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	refused(t, console.ExitUsage, "others may write in "+dir, "node", "--listen", anyPort, "--state", filepath.Join(t.TempDir(), "s"), "--join", dir)
}
