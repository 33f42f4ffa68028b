package main

import (
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// TestSiteIsKept starts a node again without a word: it is the same one. A site that is said holds,
// and is kept in turn.
func TestSiteIsKept(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "delft")
	a.stop(t)
	b := startNodeIn(t, a.folder)
	if b.name != a.name || b.status(t).Site != "delft" {
		t.Errorf("%s comes back as %s at site %s", a.name, b.name, b.status(t).Site)
	}
	b.stop(t)
	c := startNodeIn(t, a.folder, "--site", "paris")
	c.stop(t)
	d := startNodeIn(t, a.folder)
	if want := strings.Replace(a.name, "delft", "paris", 1); c.name != want || d.name != want {
		t.Errorf("moved to paris it is %s, and then %s; wanted %s", c.name, d.name, want)
	}
	d.stop(t)
	file := filepath.Join(a.folder, "node.json")
	if err := os.WriteFile(file, []byte("{\"site\":\"x\x1b\"}"), 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, console.ExitFailed, file+":1: ", "node", "--listen", anyPort, "--state", a.folder)
}

// hearHangups has what a test starts hear hangups: these tests may have been started by nohup, and
// what they start would ignore what they ignore.
func hearHangups(t *testing.T) {
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	t.Cleanup(func() { signal.Stop(heard) })
}

// TestSignalsOfANode: each of these is one order to leave, and none is a crash.
func TestSignalsOfANode(t *testing.T) {
	t.Parallel()
	hearHangups(t)
	witness := startNode(t)
	for name, signals := range map[string][]syscall.Signal{
		"a hangup":          {syscall.SIGHUP},
		"two terms":         {syscall.SIGTERM, syscall.SIGTERM},
		"hangup, then term": {syscall.SIGHUP, syscall.SIGTERM, syscall.SIGINT},
	} {
		n := startNode(t, "--join", witness.ticket)
		witness.awaitMembers(t, witness, n)
		for _, sig := range signals {
			n.process.Process.Signal(sig)
		}
		late := time.AfterFunc(patience, func() { n.process.Process.Kill() })
		n.process.Wait()
		late.Stop()
		if code := n.process.ProcessState.ExitCode(); code != console.ExitOK {
			t.Fatalf("%s: exit %d", name, code)
		}
		witness.awaitSaid(t, fmt.Sprintf("%s is gone (leave)", n.name))
	}
}

// TestHangupIgnored: a node that was started by nohup hears no hangup, and leaves when it is told
// to.
func TestHangupIgnored(t *testing.T) {
	t.Parallel()
	n := startNodeBy(t, []string{"sh", "-c", `trap "" HUP; exec "$@"`, "sh"}, "--listen", anyPort)
	n.process.Process.Signal(syscall.SIGHUP)
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", n.process.Process.Pid))
	if err != nil {
		t.Fatal(err)
	}
	ignored, blocked := signalMask(t, string(status), "SigIgn:"), signalMask(t, string(status), "SigCgt:")
	if hup := uint64(1) << (syscall.SIGHUP - 1); ignored&hup == 0 || blocked&hup != 0 {
		t.Errorf("it ignores %x and catches %x", ignored, blocked)
	}
	n.stop(t)
}

func signalMask(t *testing.T, status, name string) (mask uint64) {
	t.Helper()
	_, rest, _ := strings.Cut(status, name)
	if _, err := fmt.Sscanf(strings.TrimSpace(rest), "%x", &mask); err != nil {
		t.Fatal(err)
	}
	return mask
}

// openTerminal opens both ends of a terminal.
func openTerminal(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0)
	if err != nil {
		t.Skip("there is no /dev/ptmx")
	}
	number, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(master.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		slave, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", number), os.O_RDWR|syscall.O_NOCTTY, 0)
	}
	if err != nil {
		t.Skip("no terminal can be opened: ", err)
	}
	return master, slave
}

// TestTerminalIsGone closes the terminal of a node's stderr, which sends no signal as it
// is not the one that controls it, and the pipe of another's: the one leaves, the other
// stays until it is told.
func TestTerminalIsGone(t *testing.T) {
	t.Parallel()
	hearHangups(t)
	witness := startNode(t)
	start := func(stderr *os.File) *exec.Cmd {
		c := exec.Command(binary, "node", "--workers", "1", "--listen", anyPort, "--join", witness.ticket, "--state", filepath.Join(t.TempDir(), "state"))
		c.Stderr = stderr
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			c.Process.Kill()
			c.Wait()
		})
		stderr.Close()
		return c
	}
	master, slave := openTerminal(t)
	leaver := start(slave)
	read, write, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	stayer := start(write)
	witness.await(t, "three peers", func(s admin.Status) bool { return len(s.Members) == 3 })
	master.Close()
	read.Close()
	leaver.Wait()
	if code := leaver.ProcessState.ExitCode(); code != console.ExitOK {
		t.Errorf("without its terminal it ended with %d", code)
	}
	witness.await(t, "two peers", func(s admin.Status) bool { return len(s.Members) == 2 })
	stayer.Process.Signal(syscall.SIGTERM)
	stayer.Wait()
	if code := stayer.ProcessState.ExitCode(); code != console.ExitOK {
		t.Errorf("with nobody who reads what it says it ended with %v", stayer.ProcessState)
	}
	witness.await(t, "one peer", func(s admin.Status) bool { return len(s.Members) == 1 })
	// On a machine that is busy one may have been silent for too long when it left.
	witness.await(t, "told of two that left", func(admin.Status) bool {
		said := witness.said(t)
		return strings.Count(said, "is gone (leave)")+strings.Count(said, "is gone (silent)") >= 2
	})
	if strings.Contains(witness.said(t), "is gone (kill)") {
		t.Error("one has not said that it leaves")
	}
}

// TestMigrateToNobody stops the only peer of the destination, so that nobody knows yet, and
// kills it: those who were to leave stay and say so, and the run is answered. When somebody
// comes there, they move.
func TestMigrateToNobody(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "delft")
	b := startNode(t, "--site", "delft", "--join", a.ticket)
	c := startNode(t, "--site", "paris", "--join", a.ticket)
	a.awaitMembers(t, a, b, c)
	c.process.Process.Signal(syscall.SIGSTOP)
	m := migrate(t, a, "delft", "paris")
	m.await(t, "2 peers at delft, 1 peer at paris: those at delft leave")
	m.await(t, "nobody is at paris any more: 2 peers at delft, who stay")
	c.process.Process.Kill()
	m.await(t, "no peer is at paris yet; waiting for one to join. delft goes on computing")
	a.await(t, "both are here", func(s admin.Status) bool {
		return len(s.Members) == 2 && s.Members[0].State == "here" && s.Members[1].State == "here"
	})
	if got := runBinary(t, nil, "run", "nqueens", "10", "--join", a.ticket); got.out != "724\n" {
		t.Errorf("those that stay answer %d, %q, %q", got.code, got.out, got.err)
	}
	d := startNode(t, "--site", "paris", "--join", b.ticket)
	m.await(t, "moved: 2 peers left delft in ")
	a.leftInOrder(t)
	b.leftInOrder(t)
	d.awaitMembers(t, d)
}

// TestTwins: two nodes whose state folders are copies of each other, key and all. Both are told,
// and end; the others go on.
func TestTwins(t *testing.T) {
	t.Parallel()
	witness := startNode(t)
	one := startNode(t, "--join", witness.ticket)
	folder := filepath.Join(t.TempDir(), "copy")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"identity.key", "grid.ticket"} {
		data, err := os.ReadFile(filepath.Join(one.folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), data, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	two := &node{folder: folder, log: filepath.Join(t.TempDir(), "log")}
	two.process = exec.Command(binary, "node", "--workers", "1", "--listen", anyPort, "--state", folder, "--join", witness.ticket)
	begin(t, two.process, two.log)
	for _, n := range []*node{one, two} {
		timer := time.AfterFunc(patience, func() { n.process.Process.Kill() })
		n.process.Wait()
		timer.Stop()
		if code, said := n.process.ProcessState.ExitCode(), n.said(t); code != console.ExitRefused || !strings.Contains(said, "two hosts have this peer's identity") {
			t.Errorf("a twin ends with %d and says %q", code, said)
		}
	}
	if got := runBinary(t, nil, "run", "nqueens", "8", "--join", witness.ticket); got.out != "92\n" {
		t.Errorf("the others: exit %d, %q", got.code, got.err)
	}
}

// TestStateOfOthers: a state folder in which others may write is refused by all that would keep or
// take a secret there.
func TestStateOfOthers(t *testing.T) {
	t.Parallel()
	for _, mode := range []os.FileMode{0o777, 0o770 | 0o020, os.ModeSticky | 0o777, 0o700} {
		folder := t.TempDir()
		if err := os.Chmod(folder, mode); err != nil {
			t.Fatal(err)
		}
		if mode == 0o700 { // another user's, who lets nobody else in
			if os.Geteuid() != 0 {
				break
			}
			if err := os.Chown(folder, 12345, -1); err != nil {
				t.Fatal(err)
			}
		}
		for _, line := range []string{"node --listen " + anyPort, "key new", "key show"} {
			refused(t, console.ExitUsage, "others may write in", append(strings.Fields(line), "--state", folder)...)
		}
		if files, err := os.ReadDir(folder); err != nil || len(files) > 0 {
			t.Errorf("%v: left behind are %v, %v", mode, files, err)
		}
	}
}
