package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"satingrid/satin/await"
	"satingrid/satin/program"
)

// sshdVariable asks for the test with sshd, which takes a minute.
const sshdVariable = "SATIN_SSHD"

// hosted are machines, network namespaces, which sshd lets in to; all but the first, from where it
// is typed, and the last, which nothing reaches.
type hosted struct {
	*spaces
	folder string
	hosts  string // the file of those that sshd is at, and of the last
}

// sshdConf is the configuration of sshd on a machine, with the test's folder and a home.
const sshdConf = `Port 22
HostKey %[1]s/host
PidFile none
AuthorizedKeysFile %[1]s/key.pub
StrictModes no
UsePAM no
PasswordAuthentication no
PermitRootLogin prohibit-password
SetEnv HOME=%[2]s
`

// sshConf is that of ssh.
const sshConf = `IdentityFile %[1]s/key
IdentitiesOnly yes
UserKnownHostsFile %[1]s/known
GlobalKnownHostsFile none
StrictHostKeyChecking accept-new
LogLevel ERROR
`

// startSSHD makes the machines, or skips the test where they cannot be made.
func startSSHD(t *testing.T) *hosted {
	t.Helper()
	for _, name := range []string{"sshd", "ssh", "ssh-keygen"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%v: Debian has it in openssh-server", err)
		}
	}
	net, err := newSpaces(t, 5)
	if err != nil {
		t.Skip("no network namespaces here: ", err)
	}
	h := &hosted{spaces: net, folder: t.TempDir()}
	h.hosts = filepath.Join(h.folder, "hosts")
	// where sshd goes that has yet to learn who calls
	if err := os.MkdirAll("/run/sshd", 0o755); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"host", "key"} {
		if err := sh("ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", filepath.Join(h.folder, name)); err != nil {
			t.Fatal(err)
		}
	}
	ssh, _ := exec.LookPath("ssh")
	h.write(t, "ssh.conf", fmt.Sprintf(sshConf, h.folder))
	h.write(t, "bin/ssh", fmt.Sprintf("#!/bin/sh\nexec %s -F %s/ssh.conf \"$@\"\n", ssh, h.folder))
	var hosts strings.Builder
	for n, x := range h.all[1:] {
		fmt.Fprintf(&hosts, "root@%s site=%s workers=1\n", x.ip, []string{"delft", "delft", "paris", "lyon"}[n])
		if x != h.last() {
			h.sshd(t, x)
		}
	}
	h.write(t, "hosts", hosts.String())
	if err := h.drop(h.all[0], h.last()); err != nil {
		t.Fatal(err)
	}
	return h
}

func (h *hosted) last() *space { return h.all[len(h.all)-1] }

func (h *hosted) write(t *testing.T, name, text string) {
	t.Helper()
	name = filepath.Join(h.folder, name)
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
}

// sshd lets in to a machine until the test ends, and with it all that was started there.
func (h *hosted) sshd(t *testing.T, x *space) {
	t.Helper()
	at := filepath.Join(h.folder, x.ip) // its home, too
	if err := os.Mkdir(at, 0o700); err != nil {
		t.Fatal(err)
	}
	h.write(t, x.ip+".conf", fmt.Sprintf(sshdConf, h.folder, at))
	sshd, _ := exec.LookPath("sshd")
	words := append(inside(x.ns), sshd, "-D", "-E", at+".log", "-f", at+".conf")
	begin(t, exec.Command(words[0], words[1:]...), at+".err")
	t.Cleanup(func() { loseMachine(x) })
	await.Until(t, "sshd listens", func() bool {
		return exec.Command("ip", "netns", "exec", x.ns, "sh", "-c", "ss -ltn | grep -q :22").Run() == nil
	})
}

// loseMachine ends all that a machine computes, and its link.
func loseMachine(x *space) {
	exec.Command("ip", "-n", x.ns, "link", "set", "eth0", "down").Run()
	out, _ := exec.Command("ip", "netns", "pids", x.ns).Output()
	for pid := range strings.FieldsSeq(string(out)) {
		exec.Command("kill", "-9", pid).Run()
	}
}

// types is what the command says, typed on the first machine.
func (h *hosted) types(first *node, words ...string) (code int, said string) {
	all := append(inside(h.all[0].ns), append([]string{binary}, words...)...)
	c := exec.Command(all[0], all[1:]...)
	c.Env = append(os.Environ(), "PATH="+h.folder+"/bin:"+os.Getenv("PATH"), "SATIN_STATE="+first.folder)
	out, _ := c.CombinedOutput()
	return c.ProcessState.ExitCode(), string(out)
}

// at is the machine on which a node was started, as launch list says it.
func (h *hosted) at(listed, name string) *space {
	for line := range strings.Lines(listed) {
		for _, x := range h.all {
			if strings.Contains(line, x.ip) && strings.Contains(line, name) {
				return x
			}
		}
	}
	return nil
}

// TestSSHD: nodes are started by ssh on four machines, of which one cannot be reached, and one dies
// while it computes, the master's if it was started there. The answer is right; what is left is
// listed, and leaves.
func TestSSHD(t *testing.T) {
	if os.Getenv(sshdVariable) == "" {
		t.Skip(sshdVariable, " is not set; .ci/steps/chaos.sh sets it")
	}
	outlasting(t, boards[2:], func(w load) bool { return startSSHD(t).computes(t, w) })
}

// computes is one run of TestSSHD. It is false where that was over too soon.
func (h *hosted) computes(t *testing.T, w load) bool {
	first := startNodeBy(t, inside(h.all[0].ns), "--site", "home", "--listen", "/ip4/"+h.all[0].ip+"/tcp/4001")
	code, said := h.types(first, "launch", "ssh", "--hosts", h.hosts)
	if code != 1 || strings.Count(said, " here: ") != 3 || !strings.Contains(said, "1 of 4 nodes did not start") || !strings.Contains(said, h.last().ip) {
		t.Fatalf("launch: exit %d, %s", code, said)
	}
	listed := said
	run := startJoined(t, inside(h.all[0].ns), first.ticket, w.args...)
	run.underway(t)
	lost := h.at(listed, run.masters(t)[0])
	if lost == nil { // it is the first's
		lost = h.all[1]
	}
	if run.over() {
		return false
	}
	loseMachine(lost)
	code, said = h.types(first, "launch", "list")
	if strings.Count(said, " here: ") != 2 || !strings.Contains(said, lost.ip) || strings.Count(said, "not reachable") != 2 {
		t.Errorf("list: exit %d, %s", code, said)
	}
	var d program.Document
	if got := run.result(); json.Unmarshal([]byte(got.out), &d) != nil || d.Answer.(map[string]any)[w.name] != w.value || len(d.Losses) != 1 {
		t.Errorf("%s: exit %d, %s%s; wanted are %v, and one loss", run.said, got.code, got.out, got.err, w.value)
	}
	if code, said = h.types(first, "launch", "stop", "--all"); code != 1 || strings.Count(said, " ended: satin: left\n") != 2 {
		t.Errorf("stop: exit %d, %s", code, said)
	}
	fmt.Printf("ssh: 4 machines, 1 not reached, 1 lost; %d masters, %s in %.0f s\n", len(d.Masters), w.args, d.Seconds)
	return true
}
