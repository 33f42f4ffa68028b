//go:build unix

package launch

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"satingrid/satin/program/console"
)

// fakeSSH does what sshd does with a command, in a home of its own for each host. It knows no host
// gone, and is refused by no. It keeps its words.
const fakeSSH = `#!/bin/sh
printf '%s\n' "$@" >>"$FAKE/argv"
port=
while [ $# -gt 0 ]; do
	case $1 in
	-T) shift ;;
	-o) shift 2 ;;
	-p) port=$2; shift 2 ;;
	*) break ;;
	esac
done
case $1 in
*gone) echo "ssh: connect to host gone port ${port:-22}: No route to host" >&2; exit 255 ;;
*breaks) echo "Welcome to this machine"; echo starting; echo "client_loop: send disconnect: Broken pipe" >&2; exit 255 ;;
*no) printf 'A banner\r\nyou@no: Permission denied (publickey).\r\n' >&2; exit 255 ;;
esac
host=$1; shift
echo "Welcome to $host"
export HOME="$FAKE/$host"
unset XDG_STATE_HOME XDG_CACHE_HOME SATIN_TICKET
mkdir -p "$HOME"; cd "$HOME"
exec sh -c "$*"
`

// withSSH is a setting whose ssh reaches folders of this machine, and the file of hosts.
func withSSH(t *testing.T, hosts string) (s *setting, fake, file string) {
	t.Helper()
	s = set(t)
	fake = filepath.Join(filepath.Dir(s.state), "fake")
	bin := filepath.Join(fake, "bin")
	if err := os.MkdirAll(bin, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{filepath.Join(bin, "ssh"): fakeSSH, filepath.Join(fake, "hosts"): hosts, filepath.Join(fake, "ticket"): ticketWord(t) + "\n"} {
		if err := os.WriteFile(name, []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chmod(filepath.Join(fake, "ticket"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+":"+os.Getenv("PATH"))
	t.Setenv("FAKE", fake)
	return s, fake, filepath.Join(fake, "hosts")
}

// glob is what there is on fake machines.
func glob(t *testing.T, parts ...string) []string {
	t.Helper()
	// the folder's own name has no letters that mean something to Glob
	found, err := filepath.Glob(filepath.Join(parts...))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestSSH: each machine gets the executable once, its nodes and the ticket, by no argument. Those
// that are not reached are said to be, and the others are listed, and leave.
func TestSSH(t *testing.T) {
	s, fake, hosts := withSSH(t, "# ours\nyou@one site=delft workers=3\n\nyou@two:2222  # the other\nyou@gone\nno\n")
	ticket := strings.TrimSpace(string(content(os.ReadFile(fake + "/ticket"))))
	t.Cleanup(func() { s.types("stop", "--all") })
	code, out, said := s.types("ssh", "--hosts", hosts, "-n", "2", "--join", fake+"/ticket", "--site", "paris")
	if code != 1 || strings.Count(out, " here: a/x") != 4 {
		t.Fatalf("exit %d, %s%s", code, out, said)
	}
	for _, want := range []string{"not reachable: connect to host gone port 22: No route to host\n", "not reachable: you@no: Permission denied (publickey).\n", "satin: 4 of 8 nodes did not start\n"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q: %s", want, said)
		}
	}
	for host, want := range map[string]string{"you@one": "--site\ndelft\n--workers\n3\n", "you@two": "--workers\n"} {
		programs := glob(t, fake, host, ".cache/satin/*/*")
		if len(programs) != 1 || string(content(os.ReadFile(programs[0]))) != standIn {
			t.Errorf("on %s are %q", host, programs)
		}
		nodes := glob(t, fake, host, ".local/state/satin/launch/ssh-*/*/state")
		if len(nodes) != 2 {
			t.Fatalf("on %s are %q", host, nodes)
		}
		for _, n := range nodes {
			if got := string(content(os.ReadFile(n + "/ticket"))); strings.TrimSpace(got) != ticket {
				t.Errorf("it is given the ticket %q", got)
			}
			if argv := string(content(os.ReadFile(n + "/argv"))); strings.Contains(argv, ticket) || !strings.Contains(argv, want) {
				t.Errorf("it is told %s", argv)
			}
		}
		isPrivate(t, filepath.Join(fake, host, ".local/state/satin"))
	}
	if argv := string(content(os.ReadFile(fake + "/argv"))); strings.Contains(argv, ticket) || !strings.Contains(argv, "\n-p\n2222\nyou@two\n") {
		t.Errorf("ssh is told %s", argv)
	}
	if left := glob(t, fake, "*", ".local/state/satin/launch/ssh-*/ticket*"); len(left) > 0 {
		t.Errorf("tickets are left: %q", left)
	}
	if code, out, _ := s.types("list"); code != 0 || strings.Count(out, " here: a/x") != 4 || strings.Count(out, "not reachable") != 2 {
		t.Errorf("list: exit %d, %s", code, out)
	}
	code, out, said = s.types("stop", "--all", "--remove")
	if code != 1 || strings.Count(out, "ended: satin: left") != 4 || !strings.Contains(said, " and ") || !strings.Contains(said, ": not reached; if the machine is gone for good, remove") {
		t.Errorf("stop: exit %d, %s%s", code, out, said)
	}
	if code, out, said = s.types("stop", "--all"); code != 1 || strings.Count(out, "\n") != 2 || strings.Count(out, "not reachable") != 2 {
		t.Errorf("stop again: exit %d, %s%s", code, out, said)
	}
	if left := glob(t, fake, "*", ".local/state/satin/launch/*"); len(left) > 0 {
		t.Errorf("folders are left: %q", left)
	}
}

func content(text []byte, err error) []byte {
	if err != nil {
		panic(err)
	}
	return text
}

// TestSSHAgain: a second launch finds the executable there, and one of another build does not.
func TestSSHAgain(t *testing.T) {
	s, fake, hosts := withSSH(t, "one\n")
	for _, build := range []string{"", "", "# another\n"} {
		program := must(executable())
		if err := os.WriteFile(program, []byte(standIn+build), 0o700); err != nil {
			t.Fatal(err)
		}
		name, out := s.launches("ssh", "--hosts", hosts, "--join", fake+"/ticket")
		if !strings.Contains(out, "--join '"+strings.ReplaceAll(fake, "'", `'\''`)+"/ticket'") {
			t.Errorf("it says %s", out)
		}
		if code, out, said := s.types("stop", name); code != 0 {
			t.Errorf("exit %d, %s%s", code, out, said)
		}
	}
	if n := strings.Count(string(content(os.ReadFile(fake+"/argv"))), "\nsize="); n != 2 {
		t.Errorf("it was copied %d times", n)
	}
	if found := glob(t, fake, "one/.cache/satin/*/*"); len(found) != 2 {
		t.Errorf("there are %q", found)
	}
}

// TestSSHCopyBreaksOff: what has not come whole is not put in place.
func TestSSHCopyBreaksOff(t *testing.T) {
	_, fake, _ := withSSH(t, "")
	con := &console.Console{Name: "satin"}
	s := bySSH(con)
	l := &Launch{digest: "d"}
	if _, err := s.execute(t.Context(), Machine{Target: "one"}, s.at(l).copy(100), strings.NewReader("half")); err == nil {
		t.Error("it is no error")
	}
	if left := glob(t, fake, "one/.cache/satin/d/*"); len(left) > 0 {
		t.Errorf("left is %q", left)
	}
}

// TestSSHNotForIt: a machine of another kind is said to be one.
func TestSSHNotForIt(t *testing.T) {
	for out, want := range map[string]string{"missing Linux aarch64\n": "linux/arm64", "missing Darwin x86_64\n": "darwin/amd64", "missing Plan9 mips\n": "", "missing": ""} {
		if got := systemOf(out); got != want {
			t.Errorf("%q is %s", out, got)
		}
	}
	err := bySSH(&console.Console{}).copyTo(t.Context(), &Launch{}, Machine{}, "missing FreeBSD arm64\n")
	if err == nil || !strings.HasPrefix(err.Error(), "it is freebsd/arm64, and this executable is for ") {
		t.Error(err)
	}
}

// TestSSHBreaksOff: where it is not known whether something runs, the launch stays, to be stopped.
func TestSSHBreaksOff(t *testing.T) {
	s, fake, hosts := withSSH(t, "breaks\n")
	code, out, said := s.types("ssh", "--hosts", hosts, "--join", fake+"/ticket")
	if code != 1 || out != "" || !strings.Contains(said, "what may still run: ssh-") || !strings.Contains(said, "it broke off: client_loop: send disconnect: Broken pipe\n") {
		t.Errorf("exit %d, %s%s", code, out, said)
	}
	if code, out, _ := s.types("list"); code != 0 || !strings.Contains(out, "/1 ") {
		t.Errorf("list: exit %d, %s", code, out)
	}
}

// TestSSHWithoutAGrid: where no ticket leads anywhere, nothing is started.
func TestSSHWithoutAGrid(t *testing.T) {
	s, fake, hosts := withSSH(t, "one\n")
	code, out, said := s.types("ssh", "--hosts", hosts)
	if code != console.ExitRefused || out != "" || !strings.Contains(said, "give a ticket with --join") {
		t.Errorf("exit %d, %s%s", code, out, said)
	}
	if _, err := os.Stat(fake + "/argv"); !os.IsNotExist(err) {
		t.Errorf("ssh was called: %v", err)
	}
}

// TestSSHPrints: what --print prints starts the nodes, and tells which machines it does not reach.
func TestSSHPrints(t *testing.T) {
	s, fake, hosts := withSSH(t, "you@one site=delft\ngone\ntwo:22\n")
	code, script, said := s.types("ssh", "--hosts", hosts, "--print", "--", "--store", "it's $1")
	if code != 0 {
		t.Fatalf("exit %d, %s", code, said)
	}
	if _, err := os.Stat(fake + "/argv"); !os.IsNotExist(err) {
		t.Errorf("ssh was called: %v", err)
	}
	defer kill(t, fake, "*", ".local/state/satin/launch/*/*/pid")
	out, err := exec.Command("sh", "-c", script, "x", fake+"/ticket").CombinedOutput()
	if err == nil || strings.Count(string(out), " here a/x") != 2 || !strings.Contains(string(out), "gone: not reachable\n") {
		t.Errorf("the script: %v, %s", err, out)
	}
	for _, n := range glob(t, fake, "*", ".local/state/satin/launch/*/*/state") {
		words := strings.Split(string(content(os.ReadFile(n+"/argv"))), "\n")
		if !slices.Contains(words, "it's $1") || strings.TrimSpace(string(content(os.ReadFile(n+"/ticket")))) == "" {
			t.Errorf("a node is told %q", words)
		}
	}
	out, err = exec.Command("sh", "-c", script, "x", fake+"/ticket").CombinedOutput()
	if err == nil || strings.Count(string(out), "it runs already") != 2 {
		t.Errorf("again: %v, %s", err, out)
	}
}

// TestHosts: what a file of hosts may say, and what is said of one that says something else.
func TestHosts(t *testing.T) {
	file := filepath.Join(t.TempDir(), "hosts")
	read := func(text string) string {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		all, err := readHosts(file, 2)
		if err != nil {
			return strings.TrimPrefix(err.Error(), file)
		}
		return fmt.Sprint(all)
	}
	for text, want := range map[string]string{
		"a\nb@c:22 workers=2 site=x # y\n": "[a b@c:22]",
		"u@[::1]:23\n[fe80::1]\nfe80::2":   "[u@::1:23 fe80::1 fe80::2]",
		"# none\n":                         ":1: no host is there: user@host[:port] [site=S] [workers=N] is expected, one a line",
		"a\n-oProxyCommand=x":              `:2: "-oProxyCommand=x": user@host, or user@host:port is expected`,
		"u@-x":                             `:1: "u@-x": user@host, or user@host:port is expected`,
		"@x":                               `:1: "@x": user@host, or user@host:port is expected`,
		"a;b":                              `:1: "a;b": user@host, or user@host:port is expected`,
		"a:":                               `:1: "a:": user@host, or user@host:port is expected`,
		"[::1":                             `:1: "[::1": user@host, or user@host:port is expected`,
		"a:0":                              `:1: "a:0": a port from 1 to 65535 is expected after the colon`,
		"a workers=0":                      `:1: "workers=0": workers= and 1 to 4096 is expected`,
		"a 4":                              `:1: "4": site=S or workers=N is expected after the host`,
		"a\n\na":                           ":3: a stands in line 1 already: -n says how many nodes a host gets",
		"a site=x/y":                       `:1: "x/y" is no name of a site: letters, digits, - and _ are expected`,
	} {
		if got := read(text); got != want {
			t.Errorf("%q: %s, wanted %s", text, got, want)
		}
	}
	many := ""
	for n := range nodesMax {
		many += fmt.Sprintln("h", n)
	}
	if got := read(strings.ReplaceAll(many, " ", "")); got != ":513: with 2 for each host that is more than 1024 nodes" {
		t.Error(got)
	}
	if _, err := readHosts(file+"x", 1); err == nil || !strings.HasSuffix(err.Error(), "hosts"+"x: no such file or directory") {
		t.Error(err)
	}
}

// TestSSHBreaksOffBesideOthers: nodes of which nobody knows whether they run are told to leave, and
// the others go on.
func TestSSHBreaksOffBesideOthers(t *testing.T) {
	s, fake, hosts := withSSH(t, "breaks\nyou@one\n")
	t.Cleanup(func() { s.types("stop", "--all") })
	code, out, said := s.types("ssh", "--hosts", hosts, "--join", fake+"/ticket")
	if code != 1 || strings.Count(out, " here: a/x") != 1 || !strings.Contains(said, "it broke off: ") || !strings.Contains(said, "satin: 1 of 2 nodes did not start\n") {
		t.Errorf("exit %d, %s%s", code, out, said)
	}
	if argv := string(content(os.ReadFile(fake + "/argv"))); strings.Count(argv, "remove=no seconds=") != 1 {
		t.Errorf("ssh is told %s", argv)
	}
}
