//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/ticket"
)

// peer is a row of peers --json.
type peer struct{ Name, Site string }

// node is a satin node in a process of its own.
type node struct {
	process *exec.Cmd
	folder  string
	name    string
	addr    string
	ticket  string // a file
	log     string // of what it says on stderr
}

// startNode starts a node on loopback and returns when it has introduced itself.
func startNode(t testing.TB, args ...string) *node {
	t.Helper()
	return startNodeBy(t, nil, append(args, "--listen", anyPort)...)
}

// startNodeBy starts a node by another command, such as ip netns exec.
func startNodeBy(t testing.TB, by []string, args ...string) *node {
	t.Helper()
	return startNodeWith(t, by, filepath.Join(t.TempDir(), "state"), args...)
}

// startNodeIn starts a node on loopback with a state folder that there is.
func startNodeIn(t testing.TB, folder string, args ...string) *node {
	t.Helper()
	return startNodeWith(t, nil, folder, append(args, "--listen", anyPort)...)
}

func startNodeWith(t testing.TB, by []string, folder string, args ...string) *node {
	t.Helper()
	n, ok := launchNode(t, by, folder, args...)
	if !ok {
		t.Fatal("the node ended before it had introduced itself")
	}
	return n
}

// launchMost is how long a node may be on its way in: one that reaches nobody gives up by then.
const launchMost = 90 * time.Second

// launchNode starts a node, and returns when it has introduced itself, or false when
// it has ended before.
func launchNode(t testing.TB, by []string, folder string, args ...string) (*node, bool) {
	t.Helper()
	n := &node{folder: folder, log: filepath.Join(t.TempDir(), "log")}
	words := slices.Concat(by, []string{binary, "node", "--workers", "1", "--state", n.folder}, args)
	n.process = exec.Command(words[0], words[1:]...)
	out, err := n.process.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	begin(t, n.process, n.log)
	late := time.AfterFunc(launchMost, func() {
		t.Errorf("a node is neither in nor gone after %v: %v", launchMost, words)
		n.process.Process.Kill()
	})
	defer late.Stop()
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		words := strings.Fields(lines.Text())
		switch {
		case n.name == "":
			n.name = words[0]
		case n.addr == "" && strings.Contains(words[0], "/p2p/"):
			n.addr = words[0]
		case strings.HasPrefix(lines.Text(), "  satin node --site "):
			n.ticket = filepath.Join(n.folder, words[len(words)-1])
			return n, true
		}
	}
	n.process.Wait()
	return n, false
}

// begin starts a process, keeps in a file what it says on stderr, and ends it with the test.
func begin(t testing.TB, c *exec.Cmd, log string) {
	t.Helper()
	f, err := os.Create(log)
	if err != nil {
		t.Fatal(err)
	}
	c.Stderr = io.MultiWriter(os.Stderr, f)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
		f.Close()
	})
}

// stop ends a node as its user does, and checks that it ends in order.
func (n *node) stop(t testing.TB) {
	t.Helper()
	n.end()
	if code := n.process.ProcessState.ExitCode(); code != console.ExitOK {
		t.Errorf("%s: exit %d", n.name, code)
	}
	if _, err := os.Stat(filepath.Join(n.folder, "control.sock")); !os.IsNotExist(err) {
		t.Errorf("%s has left its socket: %v", n.name, err)
	}
}

// end asks a node to leave and waits until it has.
func (n *node) end() {
	n.process.Process.Signal(syscall.SIGTERM)
	n.process.Wait()
}

// kill kills a node, as kill -9 does.
func (n *node) kill() {
	n.process.Process.Kill()
	n.process.Wait()
}

// status is what a node tells of itself.
func (n *node) status(t testing.TB) admin.Status {
	t.Helper()
	s, err := admin.Ask(n.folder)
	if err != nil {
		t.Fatalf("%s: %v", n.name, err)
	}
	return s
}

// await waits until what a node tells of itself is as it should be.
func (n *node) await(t testing.TB, what string, is func(admin.Status) bool) {
	t.Helper()
	var s admin.Status
	await.UntilOr(t, seldom(func() bool {
		s = n.status(t)
		return is(s)
	}), func() string { return fmt.Sprintf("%s: never %s: %+v", n.name, what, s) })
}

// awaitMembers waits until a node sees these peers and no others.
func (n *node) awaitMembers(t testing.TB, want ...*node) {
	t.Helper()
	var names []string
	for _, m := range want {
		names = append(names, m.name)
	}
	slices.Sort(names)
	n.await(t, "in a grid of "+strings.Join(names, ", "), func(s admin.Status) bool {
		return slices.EqualFunc(s.Members, names, func(m satin.Member, name string) bool { return m.Name == name })
	})
}

// awaitSaid waits until a node has said something on stderr.
func (n *node) awaitSaid(t testing.TB, want string) {
	t.Helper()
	await.UntilOr(t, func() bool { return strings.Contains(n.said(t), want) }, func() string {
		return fmt.Sprintf("%s has said %q, wanted %q", n.name, n.said(t), want)
	})
}

// said is what a node has said on stderr.
func (n *node) said(t testing.TB) string {
	t.Helper()
	text, err := os.ReadFile(n.log)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestNodes(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "delft")
	b := startNode(t, "--site", "paris", "--join", a.ticket)
	for _, n := range []*node{a, b} {
		info, err := os.Stat(filepath.Join(n.folder, "control.sock"))
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("the socket: %v, %v", info, err)
		}
	}
	var peers struct{ Peers []peer }
	_, out, _ := inProcess("peers", "--json", "--state", a.folder)
	if err := json.Unmarshal([]byte(out), &peers); err != nil || len(peers.Peers) != 2 || peers.Peers[0].Name != a.name || peers.Peers[1].Site != "paris" {
		t.Errorf("%v: %s", err, out)
	}
	var status struct {
		Name  string
		Peers []peer
		Runs  []any
	}
	_, out, _ = inProcess("status", "--json", "--state", b.folder)
	if err := json.Unmarshal([]byte(out), &status); err != nil || status.Name != b.name || len(status.Peers) != 2 || len(status.Runs) != 0 {
		t.Errorf("%v: %s", err, out)
	}
	if _, out, _ = inProcess("status", "--state", b.folder); !strings.Contains(out, "the grid has 2 peers at 2 sites with 2 workers\nnothing is computed\n") {
		t.Errorf("status prints %q", out)
	}
	d, got := runSites(t, "run", "nqueens", "12", "--join", b.ticket)
	if got.code != 0 || solutions(d) != 14200.0 || len(d.Peers) != 2 {
		t.Errorf("exit %d, %q, %+v", got.code, got.err, d)
	}
	_, word, _ := inProcess("key", "invite", "--ticket", "-", "--state", a.folder)
	if got := runBinary(t, []string{"SATIN_TICKET" + "=" + strings.TrimSpace(word)}, "run", "fib", "20"); got.code != 0 || got.out != "6765\n" {
		t.Errorf("with a ticket in the environment: exit %d, %q, %q", got.code, got.out, got.err)
	}
	a.stop(t)
	if got := runBinary(t, nil, "run", "fib", "20", "--join", b.ticket); got.code != 0 || got.out != "6765\n" {
		t.Errorf("after its founder has gone: exit %d, %q, %q", got.code, got.out, got.err)
	}
	b.stop(t)
	refused(t, console.ExitRefused, "nobody answers there", "run", "fib", "20", "--join", b.ticket)
}

// refused runs a command that must fail with a code and one line that has these words.
func refused(t testing.TB, code int, words string, args ...string) {
	t.Helper()
	got := runBinary(t, nil, args...)
	if got.code != code || !strings.Contains(got.err, words) || strings.Count(complaint(got.err), "\n") != 1 || got.out != "" {
		t.Errorf("%v: exit %d, %q, %q; wanted exit %d and %q", args, got.code, got.out, got.err, code, words)
	}
}

// TestStateFolderGone computes on when a node's folder is taken away, and leaves in order.
func TestStateFolderGone(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	text, err := os.ReadFile(n.ticket)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.RemoveAll(n.folder); err != nil {
		t.Fatal(err)
	}
	if got := runBinary(t, []string{"SATIN_TICKET" + "=" + strings.TrimSpace(string(text))}, "run", "fib", "20"); got.out != "6765\n" {
		t.Errorf("exit %d, %q", got.code, got.err)
	}
	n.stop(t)
}

// TestNodeWithoutADisk lets a node join and compute whose state folder cannot be written: it warns,
// and is another peer at its next start.
func TestNodeWithoutADisk(t *testing.T) {
	t.Parallel()
	for name, options := range map[string]string{"read-only": "ro,mode=700", "full": "size=4k,mode=700"} {
		t.Run(name, func(t *testing.T) {
			folder := t.TempDir()
			by := mounted(t, folder, options)
			a := startNode(t)
			log := filepath.Join(t.TempDir(), "log")
			b := exec.Command(by[0], slices.Concat(by[1:], []string{binary, "node", "--workers", "1", "--state", folder, "--listen", anyPort, "--join", a.ticket})...)
			begin(t, b, log)
			var addrs []string
			a.await(t, "joined by another", func(s admin.Status) bool {
				for _, m := range s.Members {
					if m.Name != a.name {
						addrs = m.Addrs
					}
				}
				return len(addrs) > 0
			})
			tk, err := ticket.Load(a.ticket)
			if err == nil {
				tk, err = tk.Invite(addrs...)
			}
			if err != nil {
				t.Fatal(err)
			}
			word, err := tk.Encode()
			if err != nil {
				t.Fatal(err)
			}
			a.stop(t) // so that the other computes alone
			if got := runBinary(t, []string{"SATIN_TICKET" + "=" + word}, "run", "fib", "20"); got.out != "6765\n" {
				t.Errorf("exit %d, %q", got.code, got.err)
			}
			b.Process.Signal(syscall.SIGTERM)
			b.Wait()
			text, err := os.ReadFile(log)
			if code := b.ProcessState.ExitCode(); code != console.ExitOK || err != nil {
				t.Errorf("exit %d, %v", code, err)
			}
			for _, want := range []string{
				"satin: the state folder cannot be written; this peer gets a new identity at each start: ",
				"satin: the ticket cannot be kept; give it again at the next start: ",
				"satin: there is no ticket to invite others with: ",
				"satin: left\n",
			} {
				if !strings.Contains(string(text), want) {
					t.Errorf("the node said %q, wanted %q", text, want)
				}
			}
		})
	}
}

// mounted is a command that starts another where a small disk of these options, full if it can be,
// is mounted on a folder.
func mounted(t testing.TB, folder, options string) []string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a disk needs root")
	}
	by := []string{"unshare", "--mount", "sh", "-c",
		"mount -t tmpfs -o " + options + " none " + folder + " && { cat /dev/zero >" + folder + `/fill; } 2>&-; exec "$@"`, "sh"}
	if out, err := exec.Command(by[0], append(by[1:], "true")...).CombinedOutput(); err != nil {
		t.Skipf("no disk can be mounted for one process here: %v: %s", err, out)
	}
	return by
}

// linked is a state folder of the default name that belongs to the same grid as another.
func linked(t testing.TB, other string) string {
	t.Helper()
	folder := filepath.Join(t.TempDir(), "satin")
	text, err := os.ReadFile(filepath.Join(other, "grid.ticket"))
	if err == nil {
		err = os.Mkdir(folder, 0o700)
	}
	if err == nil {
		err = os.WriteFile(filepath.Join(folder, "grid.ticket"), text, 0o600)
	}
	if err != nil {
		t.Fatal(err)
	}
	return folder
}

// TestBrokenIdentity starts no node under another name than the one that it had: it says what to do
// about its key, and ends.
func TestBrokenIdentity(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	folder := linked(t, n.folder)
	key := filepath.Join(folder, "identity.key")
	if err := os.WriteFile(key, []byte("not a key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, more := range [][]string{{}, {"--join", n.ticket}} {
		// alone it goes back to its grid
		got := runBinary(t, nil, append([]string{"node", "--listen", anyPort, "--state", folder, "--grace", "1s", "--lifetime", "2s"}, more...)...)
		want := key + " is not an ed25519 key: restore it, or remove it to become a new peer\n"
		if got.code != console.ExitUsage || got.out != "" || strings.Count(complaint(got.err), "\n") != 1 || !strings.HasSuffix(got.err, want) {
			t.Errorf("%v: exit %d, %q, %q; wanted %q", more, got.code, got.out, got.err, want)
		}
	}
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	n := startNode(t)
	own, err := ticket.Load(n.ticket)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name string, tk ticket.Ticket) string {
		file := filepath.Join(t.TempDir(), name)
		if err := ticket.Save(file, tk); err != nil {
			t.Fatal(err)
		}
		return file
	}
	other, wrong := own, own
	other.Grid = "another"
	wrong.Secret = ticket.NewSecret()
	fresh := func() string { return filepath.Join(t.TempDir(), "state") }
	refused(t, console.ExitRefused, "has a wrong grid secret", "node", "--listen", anyPort, "--state", fresh(), "--join", write("wrong", wrong))
	refused(t, console.ExitRefused, "has a wrong grid secret", "run", "fib", "20", "--join", write("wrong", wrong))
	refused(t, console.ExitRefused, "belongs to another grid", "node", "--listen", anyPort, "--state", fresh(), "--join", write("other", other))
	refused(t, console.ExitRefused, "has no grid's secret yet", "node", "--listen", anyPort, "--state", fresh(), "--join", n.addr)
	refused(t, console.ExitUsage, "the state folder is in use by another process", "node", "--listen", anyPort, "--state", n.folder)
	port := strings.Join(strings.Split(n.addr, "/")[:5], "/")
	refused(t, console.ExitUsage, "the port is in use", "node", "--state", fresh(), "--listen", port)
}

// TestSilentHosts: whoever is led to hosts that answer nothing, as machines do that were taken
// back, says so and ends, though one of them is being dialled at any time.
func TestSilentHosts(t *testing.T) {
	t.Parallel()
	tk, err := ticket.New("gone")
	if err != nil {
		t.Fatal(err)
	}
	var addrs []string
	for n := range 3 {
		_, out, _ := inProcess("key", "show", "--json", "--state", filepath.Join(t.TempDir(), fmt.Sprint(n)))
		var key struct{ ID string }
		if err := json.Unmarshal([]byte(out), &key); err != nil || key.ID == "" {
			t.Fatalf("%v: %s", err, out)
		}
		l, err := net.Listen("tcp4", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		addrs = append(addrs, fmt.Sprintf("/ip4/127.0.0.1/tcp/%d/p2p/%s", l.Addr().(*net.TCPAddr).Port, key.ID))
	}
	if tk, err = tk.Invite(addrs...); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ticket")
	if err := ticket.Save(file, tk); err != nil {
		t.Fatal(err)
	}
	var both sync.WaitGroup
	defer both.Wait()
	for _, words := range [][]string{{"run", "fib", "20"}, {"node", "--listen", anyPort, "--state", filepath.Join(t.TempDir(), "state")}} {
		both.Go(func() { refused(t, console.ExitRefused, "no answer from ", append(words, "--join", file)...) })
	}
}

// TestOtherBuild joins a grid of another version.
func TestOtherBuild(t *testing.T) {
	t.Parallel()
	tk, err := ticket.New("old")
	if err != nil {
		t.Fatal(err)
	}
	app := command().App()
	app.Version = "0"
	p, err := satin.Open(context.Background(), satin.Config{App: app, Ticket: tk, Workers: 1, Listen: []string{anyPort}})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	if tk, err = tk.Invite(p.Addrs()...); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "ticket")
	if err := ticket.Save(file, tk); err != nil {
		t.Fatal(err)
	}
	refused(t, console.ExitIncompatible, `this grid runs "satin" "0", the other host "1": install the same version on all machines`, "run", "fib", "20", "--join", file)
}

func TestAllow(t *testing.T) {
	t.Parallel()
	guest := filepath.Join(t.TempDir(), "guest")
	_, out, _ := inProcess("key", "show", "--json", "--state", guest)
	var key struct{ ID string }
	if err := json.Unmarshal([]byte(out), &key); err != nil || key.ID == "" {
		t.Fatalf("%v: %s", err, out)
	}
	list := filepath.Join(t.TempDir(), "ids")
	if err := os.WriteFile(list, []byte("# guests\n"+key.ID+" # the one\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	n := startNode(t, "--allow", list)
	refused(t, console.ExitRefused, "is not on the allow-list", "node", "--listen", anyPort, "--state", filepath.Join(t.TempDir(), "x"), "--join", n.ticket)
	if err := os.WriteFile(list, []byte("me\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, console.ExitUsage, list+`:1: "me" is no peer id`, "node", "--allow", list)
}

// awaitAll waits until all these nodes see each other, and only each other.
func awaitAll(t *testing.T, nodes []*node) {
	t.Helper()
	for _, n := range nodes {
		var s admin.Status
		var err error
		await.UntilOr(t, seldom(func() bool {
			s, err = admin.Ask(n.folder)
			here := 0
			for _, m := range s.Members {
				if m.State == "here" {
					here++
				}
			}
			return err == nil && here == len(nodes)
		}), func() string {
			return fmt.Sprintf("%v sees %+v (%v), wanted %d; it said %s", n.process.Args, s.Members, err, len(nodes), n.said(t))
		})
	}
}
