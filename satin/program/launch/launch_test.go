//go:build unix

package launch

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/program/console"
	"satingrid/satin/program/node"
)

// launchedApp is the application of the nodes that tests launch.
var launchedApp = satin.App{Name: "launched"}

// plays are commands that this program stands in for.
var plays = map[string]func(words []string) int{}

// TestMain is also what a test launches: a node.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && plays[os.Args[1]] != nil {
		os.Exit(plays[os.Args[1]](os.Args[2:]))
	}
	if len(os.Args) > 1 && (os.Args[1] == "node" || os.Args[1] == "status") {
		con := console.New("satin", os.Stdout, os.Stderr)
		app := &cli.App{Name: "satin", ExitErrHandler: func(*cli.Context, error) {}, Commands: []*cli.Command{
			node.Command(con, launchedApp, node.Display{}), node.StatusCommand(con),
		}}
		os.Exit(con.Report(app.Run(os.Args)))
	}
	os.Exit(m.Run())
}

// standIn is a program that does as a node does, as far as launching goes, in no time. With --bad
// it ends at once, with --mute it does not come in.
const standIn = `#!/bin/sh
[ "$1 $2 $3 $5" = "node --auto --state --join" ] || exit 9
for word; do
	case $word in
	--bad) echo "satin: node has no flag --bad"; exit 2 ;;
	--mute) mute=yes ;;
	esac
done
trap 'echo "satin: left"; exit 0' TERM
mkdir -p "$4" && printf '%s\n' "$@" >"$4/argv"
[ "$6" != - ] || cat >"$4/ticket"
[ "$mute" ] || echo "a/x$$ has founded grid g"
while :; do sleep 0.05; done
`

// setting is where a test types: a state folder, and the program that is launched.
type setting struct {
	t     *testing.T
	state string
}

// set makes the stand-in what is launched, from a folder whose name a shell would take apart.
func set(t *testing.T) *setting {
	t.Helper()
	base := filepath.Join(t.TempDir(), "it's a $HOME")
	if err := os.Mkdir(base, 0o700); err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(base, "the program")
	if err := os.WriteFile(program, []byte(standIn), 0o700); err != nil {
		t.Fatal(err)
	}
	was := executable
	executable = func() (string, error) { return program, nil }
	t.Cleanup(func() { executable = was })
	return &setting{t, filepath.Join(base, "kept")}
}

// types types a command line, with flags before arguments, and gives what it prints.
func (s *setting) types(words ...string) (code int, out, said string) {
	s.t.Helper()
	var o, e bytes.Buffer
	con := &console.Console{Name: "satin", Out: &o, Err: &e, Terminal: -1}
	app := &cli.App{Name: "satin", Writer: &o, ErrWriter: &e, ExitErrHandler: func(*cli.Context, error) {}, Commands: []*cli.Command{Command(con)}}
	line := append([]string{"satin", "launch", words[0], "--state", s.state}, words[1:]...)
	code = con.Report(app.Run(line))
	return code, o.String(), whenSlow.ReplaceAllString(e.String(), "")
}

// whenSlow is what is said where something takes long, as all does on a busy machine.
var whenSlow = regexp.MustCompile(`(?m)^satin: (starting [0-9]+ nodes?|asking how they stand|waiting until they have left)\n`)

// launches types one that starts nodes, which are stopped with the test, and gives the launch's
// name.
func (s *setting) launches(words ...string) (name, out string) {
	s.t.Helper()
	s.t.Cleanup(func() { s.types("stop", "--all") })
	code, out, said := s.types(words...)
	name = regexp.MustCompile(`launch stop (\S+)`).ReplaceAllString(regexp.MustCompile(`launch stop \S+`).FindString(out), "$1")
	if code != 0 || name == "" {
		s.t.Fatalf("%q: exit %d, %s%s", words, code, out, said)
	}
	return name, out
}

// read is a file of a launch's, "" if there is none.
func (s *setting) read(parts ...string) string {
	text, _ := os.ReadFile(filepath.Join(append([]string{s.state, launchesFolder}, parts...)...))
	return string(text)
}

// isPrivate fails unless nobody else can read what is below a folder.
func isPrivate(t *testing.T, folder string) {
	t.Helper()
	err := filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if info, err := d.Info(); err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s is %v", name, info.Mode())
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}

// TestLocal: nodes start here, each with a folder of its own, are listed, and leave.
func TestLocal(t *testing.T) {
	s := set(t)
	name, out := s.launches("local", "-n", "3", "--site", "delft", "--", "--store", "a b")
	if strings.Count(out, " has founded grid g\n") != 3 || !strings.Contains(out, "to run on it:  satin run … --join '") {
		t.Errorf("it says %s", out)
	}
	words := strings.Split(s.read(name, "2", "state", "argv"), "\n")
	folder := filepath.Join(s.state, launchesFolder, name, "2", "state")
	want := []string{"node", "--auto", "--state", folder, "--join", ownGrid(s.state), "--workers", words[7], "--site", "delft", "--store", "a b", ""}
	if strings.Join(words, "\n") != strings.Join(want, "\n") {
		t.Errorf("a node is told %q, wanted %q", words, want)
	}
	isPrivate(t, s.state)
	if code, out, said := s.types("list"); code != 0 || strings.Count(out, " here: a/x") != 3 || !strings.HasPrefix(out, name+"/1 ") {
		t.Errorf("list: exit %d, %s%s", code, out, said)
	}
	if code, out, said := s.types("stop", name+"/2"); code != 0 || out != line(&Launch{Name: name}, standing(2, "this machine", Ended, "satin: left"))+"\n" {
		t.Errorf("stop of one: exit %d, %s%s", code, out, said)
	}
	if code, out, _ := s.types("list", "--json"); code != 0 || strings.Count(out, `"state":"here"`) != 2 || strings.Count(out, `"state":"ended","said":"satin: left"`) != 1 || !strings.HasPrefix(out, `{"schema":1,"nodes":[{"name":"`+name) {
		t.Errorf("list: exit %d, %s", code, out)
	}
	code, out, said := s.types("stop", name)
	if code != 0 || strings.Count(out, "ended: satin: left\n") != 3 || !strings.Contains(said, "stay") {
		t.Errorf("stop: exit %d, %s%s", code, out, said)
	}
	if s.read(name, "3", "log") == "" || s.read(name, recordFile) != "" {
		t.Error("the folders do not stay, or the record does")
	}
	if code, out, said := s.types("list"); code != 0 || out != "" || said != "satin: nothing is launched; satin help launch says how\n" {
		t.Errorf("list of nothing: exit %d, %s%s", code, out, said)
	}
}

// TestLocalRemoves: with --remove nothing of the launch is left.
func TestLocalRemoves(t *testing.T) {
	s := set(t)
	name, _ := s.launches("local")
	if code, out, said := s.types("stop", "--all", "--remove"); code != 0 || strings.Contains(said, "stay") {
		t.Errorf("stop: exit %d, %s%s", code, out, said)
	}
	if _, err := os.Stat(filepath.Join(s.state, launchesFolder, name)); !os.IsNotExist(err) {
		t.Errorf("its folder: %v", err)
	}
}

// TestElsewhere: what was started on another machine that has this folder, too, is neither told to
// leave nor said to have ended; nothing is taken away from it. The same goes for a folder that is
// not there.
func TestElsewhere(t *testing.T) {
	s := set(t)
	name, _ := s.launches("local", "-n", "2")
	folder := filepath.Join(s.state, launchesFolder, name)
	on := filepath.Join(folder, "1", "on")
	was := content(os.ReadFile(on))
	if err := os.WriteFile(on, []byte("another\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if code, out, said := s.types("list"); code != 0 || strings.Count(out, "not reachable: it was started on another, and this is ") != 1 || strings.Count(out, " here: ") != 1 {
		t.Errorf("list: exit %d, %s%s", code, out, said)
	}
	code, out, said := s.types("stop", "--remove", name)
	if code != 1 || strings.Count(out, " ended: ") != 1 || !strings.Contains(said, name+"/1: not reached") || s.read(name, "1", "stop") != "" || s.read(name, "1", "state", "argv") == "" {
		t.Errorf("stop: exit %d, %s%s", code, out, said)
	}
	if err := os.WriteFile(on, was, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Rename(folder, folder+".away"); err != nil {
		t.Fatal(err)
	}
	l := &Launch{Name: name, How: localWord, Nodes: 2, folder: folder, Machines: []Machine{{First: 1, Last: 2}}}
	for _, do := range []func(func(Standing)) error{
		func(tell func(Standing)) error {
			return here(&console.Console{Name: "satin"}).List(t.Context(), l, tell)
		},
		func(tell func(Standing)) error {
			return here(&console.Console{Name: "satin"}).Stop(t.Context(), l, []int{1, 2}, true, tell)
		},
	} {
		err := do(func(is Standing) {
			if is.State != Unreached || !strings.HasSuffix(is.Said, " is not there") {
				t.Errorf("without its folder it is %+v", is)
			}
		})
		if err != nil {
			t.Error(err)
		}
	}
	if err := os.Rename(folder+".away", folder); err != nil {
		t.Fatal(err)
	}
	if code, out, said := s.types("stop", name); code != 0 || strings.Count(out, "\n") != 1 || !strings.Contains(out, "/1 ") {
		t.Errorf("stop of the other: exit %d, %s%s", code, out, said)
	}
}

// TestLocalFails: nodes that do not come in are said to, by the exit code and words of theirs, and
// nothing is left of a launch that has none.
func TestLocalFails(t *testing.T) {
	s := set(t)
	code, out, said := s.types("local", "-n", "2", "--", "--bad")
	if code != console.ExitUsage || out != "" || strings.Count(said, "\n") != 1 || !strings.HasSuffix(said, "/1 was: node has no flag --bad\n") {
		t.Errorf("exit %d, %s%s", code, out, said)
	}
	left, err := filepath.Glob(filepath.Join(s.state, launchesFolder, localWord+"-*"))
	if err != nil || len(left) > 0 {
		t.Errorf("left are %q, %v", left, err)
	}
}

// TestInterrupted: a start that is interrupted, before or while the nodes come in, leaves nothing.
func TestInterrupted(t *testing.T) {
	s := set(t)
	for _, begun := range []bool{false, true} {
		con := &console.Console{Name: "satin", Out: &bytes.Buffer{}, Err: &bytes.Buffer{}, Terminal: -1}
		l := &Launch{How: localWord, Nodes: 2, Join: "/nowhere", Program: must(executable()), Machines: []Machine{{First: 1, Last: 2}}, Flags: []string{"--mute"}}
		if err := l.begin(s.state); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var pids []string
		if begun {
			go func() {
				await.Comes(func() bool {
					return s.read(l.Name, "1", "state", "argv") != "" && s.read(l.Name, "2", "state", "argv") != ""
				})
				pids = []string{s.read(l.Name, "1", "pid"), s.read(l.Name, "2", "pid")}
				cancel()
			}()
		} else {
			cancel()
		}
		by := &starting{con: con, by: here(con), l: l}
		if err := by.begin(ctx); err == nil {
			t.Error("it goes on")
		}
		if _, err := os.Stat(l.folder); !os.IsNotExist(err) {
			t.Errorf("its folder: %v; %s", err, con.Err)
		}
		for _, pid := range pids {
			// one that has ended, and that nobody has waited for, has no arguments
			if out, _ := exec.Command("ps", "-ww", "-o", "args=", "-p", strings.TrimSpace(pid)).Output(); strings.Contains(string(out), l.Name) {
				t.Errorf("left is %s", out)
			}
		}
		if begun && len(pids) != 2 {
			t.Error("they had not begun")
		}
	}
}

// kill ends the processes whose ids are in files.
func kill(t *testing.T, parts ...string) {
	for _, name := range glob(t, parts...) {
		if err := exec.Command("kill", strings.TrimSpace(string(content(os.ReadFile(name))))).Run(); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func must(path string, err error) string {
	if err != nil {
		panic(err)
	}
	return path
}

// TestLocalPrints: --print does nothing, and what it prints does what the command would.
func TestLocalPrints(t *testing.T) {
	s := set(t)
	code, script, said := s.types("local", "-n", "2", "--print")
	if code != 0 || !strings.HasPrefix(script, "#!/bin/sh\n") {
		t.Fatalf("exit %d, %s%s", code, script, said)
	}
	if _, err := os.Stat(s.state); !os.IsNotExist(err) {
		t.Errorf("the state folder: %v", err)
	}
	out, err := exec.Command("sh", "-c", script).CombinedOutput()
	defer kill(t, s.state, "launch/*/*/pid")
	if err != nil || strings.Count(string(out), " has founded grid g\n") != 2 {
		t.Errorf("the script: %v, %s", err, out)
	}
	isPrivate(t, s.state)
	if out, err := exec.Command("sh", "-c", script).CombinedOutput(); err == nil || strings.Count(string(out), "it runs already") != 2 {
		t.Errorf("executed again: %v, %s", err, out)
	}
}

// TestTicketInTheEnvironment: it goes by standard input, and into no argument and no record.
func TestTicketInTheEnvironment(t *testing.T) {
	s := set(t)
	word := ticketWord(t)
	t.Setenv("SATIN_TICKET", word)
	name, out := s.launches("local")
	if got := s.read(name, "1", "state", "ticket"); strings.TrimSpace(got) != word {
		t.Errorf("the node is given %q", got)
	}
	if all := out + s.read(name, recordFile) + s.read(name, "1", "state", "argv"); strings.Contains(all, word) || !strings.Contains(all, "run …\n") {
		t.Errorf("the secret is in %s", all)
	}
	if s.read(name, "ticket") != "" {
		t.Error("the ticket is left")
	}
}

// TestMistakes: what is wrong is said in one line, and nothing is done.
func TestMistakes(t *testing.T) {
	s := set(t)
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ line, want string }{
		{"local -n 0", "--nodes is 0: 1 to 1024 is expected"},
		{"local -n 1025", "1 to 1024 is expected"},
		{"local --site a/b", "--site: "},
		{"local 4", `takes no argument, but there is "4"`},
		{"local -- --state x", "--state cannot stand after --: each node"},
		{"local -- --join=x", "--join cannot stand after --: give it before --"},
		{"local --join /nowhere", "--join /nowhere: no such file or directory; mkdir makes a folder"},
		{"local --join -", "a folder of tickets or a ticket's file is expected"},
		{"local --join /ip4/127.0.0.1/tcp/1/p2p/x", "a folder of tickets or a ticket's file is expected"},
		{"local --join /etc/hostname", "--join: "},
		{"local --join " + open, "chmod go-w"},
		{"stop", "stop what? Name launches or nodes, or give --all; there is nothing"},
		{"stop local-xxxxx", `"local-xxxxx" is not launched`},
		{"list local-xxxxx", `"local-xxxxx" is not launched`},
	} {
		code, out, said := s.types(strings.Fields(c.line)...)
		if code != console.ExitUsage || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, %s%s, wanted %q", c.line, code, out, said, c.want)
		}
	}
	if _, err := os.Stat(s.state); !os.IsNotExist(err) {
		t.Errorf("the state folder: %v", err)
	}
}

// TestRecords: a damaged one is said to be, beside what there is of others, and other folders are
// none.
func TestRecords(t *testing.T) {
	s := set(t)
	l := &Launch{How: localWord, Nodes: 1}
	if err := l.begin(s.state); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(ownGrid(s.state), 0o700); err != nil {
		t.Fatal(err)
	}
	all, err := launched(s.state)
	if err != nil || len(all) != 1 || all[0].Name != l.Name || all[0].folder != l.folder {
		t.Errorf("%v, %v", all, err)
	}
	if err := os.WriteFile(filepath.Join(l.folder, recordFile), []byte(`{"name":"x"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	other, _ := s.launches("local")
	if code, out, said := s.types("list"); code != 1 || !strings.Contains(out, other+"/1") || !strings.Contains(said, l.Name+"/launch.json says what was launched, and cannot be read (it is damaged): its nodes have "+l.Name+" in their arguments") {
		t.Errorf("exit %d, %s", code, said)
	}
}

// TestRealNodes: two that one executable starts are one grid.
func TestRealNodes(t *testing.T) {
	s := set(t)
	executable = os.Executable
	s.state = filepath.Join(t.TempDir(), "s")
	name, out := s.launches("local", "-n", "2", "--site", "delft", "--", "--listen", "/ip4/127.0.0.1/tcp/0")
	if strings.Count(out, " has founded grid ") != 1 || strings.Count(out, " has joined grid ") != 1 || strings.Count(out, " here: delft/") != 2 {
		t.Errorf("it says %s", out)
	}
	isPrivate(t, filepath.Join(s.state, launchesFolder, name))
	if code, out, said := s.types("stop", name); code != 0 || strings.Count(out, "ended: satin: left\n") != 2 {
		t.Errorf("stop: exit %d, %s%s", code, out, said)
	}
}
