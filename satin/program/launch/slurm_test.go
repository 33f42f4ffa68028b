//go:build unix

package launch

import (
	"bytes"
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/await"
	"satingrid/satin/program/console"
)

// fakeSlurm are commands that keep their words and their input. sbatch says what is in answer,
// squeue what is in queue; scancel empties that.
var fakeSlurm = map[string]string{
	"sbatch":  `printf '%s\n' "$@" >"$FAKE/sbatch.argv"; cat >"$FAKE/sbatch.in"; [ -f "$FAKE/answer" ] || { echo "sbatch: error: invalid partition" >&2; exit 1; }; cat "$FAKE/answer"`,
	"squeue":  `printf '%s\n' "$@" "$SQUEUE_STATES" >"$FAKE/squeue.argv"; [ -f "$FAKE/queue" ] || { echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1; }; cat "$FAKE/queue"`,
	"scancel": `printf '%s\n' "$@" >>"$FAKE/scancel.argv"; : >"$FAKE/queue"`,
}

// withSlurm is a setting with such commands.
func withSlurm(t *testing.T) (s *setting, fake string) {
	t.Helper()
	s = set(t)
	fake = filepath.Join(filepath.Dir(s.state), "fake")
	if err := os.Mkdir(fake, 0o700); err != nil {
		t.Fatal(err)
	}
	for name, text := range fakeSlurm {
		if err := os.WriteFile(filepath.Join(fake, name), []byte("#!/bin/sh\n"+text+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", fake+":"+os.Getenv("PATH"))
	t.Setenv("FAKE", fake)
	t.Setenv("SQUEUE_STATES", "PENDING")
	return s, fake
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// TestSlurm: an array is submitted, its tasks are listed by squeue and their logs, and cancelled.
func TestSlurm(t *testing.T) {
	s, fake := withSlurm(t)
	write(t, fake+"/answer", "4711;cluster\n")
	name, out := s.launches("slurm", "-n", "3", "--partition", "spot", "--time", "90s", "--site", "delft", "--", "--cpus-per-task=2", "--comment", "it's")
	if !strings.HasPrefix(out, name+"/1-3") || !strings.Contains(out, "job 4711         pending: submitted; logs are in "+s.state) || !strings.Contains(out, "satin run … --join '") {
		t.Errorf("it says %s", out)
	}
	want := strings.Join([]string{
		"--parsable", "--job-name=" + name, "--array=1-3", "--nodes=1", "--ntasks=1", "--requeue", "--output=/dev/null", "--partition=spot", "--time=2",
		"--cpus-per-task=2", "--comment", "it's", "",
	}, "\n")
	if got := string(content(os.ReadFile(fake + "/sbatch.argv"))); got != want {
		t.Errorf("sbatch is told %s", got)
	}
	script := string(content(os.ReadFile(fake + "/sbatch.in")))
	for _, want := range []string{"#!/bin/sh\n#SBATCH --job-name=" + name + "\n#SBATCH --array=1-3\n", "\n#SBATCH --requeue\n", "\n#SBATCH --time=2\n", `#SBATCH --cpus-per-task=2 --comment it\'s` + "\n"} {
		if !strings.Contains(script, want) {
			t.Errorf("%q is not in %s", want, script)
		}
	}
	folder := filepath.Join(s.state, launchesFolder, name)
	write(t, folder+"/1.log", "a/x1 has founded grid g\nsatin: a/x2 is here\n")
	write(t, folder+"/2.log", "a/x2 has joined grid g\nsatin: left\n")
	write(t, fake+"/queue", "1|RUNNING|n4|1:30:00|n4\n2|PENDING||10:00|(BeginTime)\n")
	code, out, said := s.types("list")
	lines := strings.Split(out, "\n")
	if code != 0 || len(lines) != 4 || !strings.HasSuffix(lines[0], "n4               here: a/x1 has founded grid g; it has to be gone in 90 min") ||
		!strings.HasSuffix(lines[1], "job 4711         pending: BeginTime") || !strings.HasSuffix(lines[2], "job 4711         ended") {
		t.Errorf("list: exit %d, %s%s", code, out, said)
	}
	if got := string(content(os.ReadFile(fake + "/squeue.argv"))); got != "--clusters=cluster\n--noheader\n--array\n--format=%K|%T|%N|%L|%R\n--jobs=4711\n\n" {
		t.Errorf("squeue is told %s", got)
	}
	if code, out, said := s.types("stop", name+"/1", name+"/2"); code != 0 || strings.Count(out, " ended: ") != 2 {
		t.Errorf("stop of two: exit %d, %s%s", code, out, said)
	}
	if err := os.Remove(fake + "/queue"); err != nil { // Slurm has forgotten the job
		t.Fatal(err)
	}
	if code, out, said := s.types("stop", "--remove", name); code != 0 || strings.Count(out, " ended") != 3 {
		t.Errorf("stop: exit %d, %s%s", code, out, said)
	}
	if got := string(content(os.ReadFile(fake + "/scancel.argv"))); got != "--clusters=cluster\n4711_1\n4711_2\n--clusters=cluster\n4711\n" {
		t.Errorf("scancel is told %s", got)
	}
	if _, err := os.Stat(folder); !os.IsNotExist(err) {
		t.Errorf("its folder: %v", err)
	}
}

// TestSlurmTask: what a task does is a node with a folder of its own, in the place of the shell.
func TestSlurmTask(t *testing.T) {
	s, fake := withSlurm(t)
	code, script, said := s.types("slurm", "-n", "3", "--print", "--site", "delft")
	if code != 0 {
		t.Fatalf("exit %d, %s", code, said)
	}
	if _, err := os.Stat(s.state); !os.IsNotExist(err) {
		t.Errorf("the state folder: %v", err)
	}
	write(t, fake+"/scontrol", "#!/bin/sh\necho 'KillOnBadExit           = 0'; echo 'KillWait                = 9 sec'\n")
	if err := os.Chmod(fake+"/scontrol", 0o700); err != nil {
		t.Fatal(err)
	}
	task := exec.Command("sh")
	task.Stdin = strings.NewReader(script)
	task.Env = append(os.Environ(), "SLURM_JOB_ID=8", "SLURM_ARRAY_TASK_ID=2")
	if err := task.Start(); err != nil {
		t.Fatal(err)
	}
	logged := func() string {
		for _, name := range glob(t, s.state, launchesFolder, "slurm-*", "2.log") {
			return string(content(os.ReadFile(name)))
		}
		return ""
	}
	await.Until(t, "the node is in", func() bool { return strings.Contains(logged(), " has founded grid ") })
	if err := task.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	if err := task.Wait(); err != nil || !strings.HasSuffix(logged(), "satin: left\n") {
		t.Errorf("it ends: %v, %s", err, logged())
	}
	argv := glob(t, s.state, launchesFolder, "slurm-*", "8", "argv")
	if len(argv) != 1 {
		t.Fatalf("there are %q", argv)
	}
	want := strings.Join([]string{"node", "--auto", "--state", filepath.Dir(argv[0]), "--join", ownGrid(s.state), "--site", "delft", "--grace", "6s", ""}, "\n")
	if got := string(content(os.ReadFile(argv[0]))); got != want {
		t.Errorf("a node is told %s", got)
	}
	isPrivate(t, s.state)
}

// TestSlurmFails: what sbatch says against it is said, and nothing is left.
func TestSlurmFails(t *testing.T) {
	s, fake := withSlurm(t)
	code, out, said := s.types("slurm")
	if code != console.ExitFailed || out != "" || said != "satin: sbatch: error: invalid partition\n" {
		t.Errorf("exit %d, %s%s", code, out, said)
	}
	if left := glob(t, s.state, launchesFolder, slurmWord+"-*"); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
	if got := string(content(os.ReadFile(fake + "/scancel.argv"))); !strings.HasPrefix(got, "--name="+slurmWord+"-") {
		t.Errorf("scancel is told %s", got)
	}
	write(t, fake+"/answer", "Hello\n")
	if code, _, said := s.types("slurm"); code != console.ExitFailed || !strings.Contains(said, `sbatch has said "Hello", where a job's id is expected`) {
		t.Errorf("exit %d, %s", code, said)
	}
	t.Setenv("PATH", "/nowhere")
	if code, _, said := s.types("slurm"); code != console.ExitFailed || !strings.Contains(said, "there is no command sbatch here: type this where jobs of Slurm are submitted\n") {
		t.Errorf("exit %d, %s", code, said)
	}
	if left := glob(t, s.state, launchesFolder, slurmWord+"-*"); len(left) > 0 {
		t.Errorf("left are %q", left)
	}
}

// TestSlurmMayCome: where sbatch was ended before it had said anything, the job may be on its way.
// So the launch is kept, and found by its name.
func TestSlurmMayCome(t *testing.T) {
	s, fake := withSlurm(t)
	write(t, fake+"/sbatch", "#!/bin/sh\nexec sleep 10\n")
	var said bytes.Buffer
	con := &console.Console{Name: "satin", Out: &said, Err: &said, Terminal: -1}
	l := &Launch{How: slurmWord, Nodes: 1, Join: "/nowhere", Program: must(executable()), Slurm: &Array{}}
	if err := l.begin(s.state); err != nil {
		t.Fatal(err)
	}
	write(t, fake+"/queue", "")
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	by := &starting{con: con, by: &bySlurm{con}, l: l}
	if err := by.begin(ctx); err == nil || !strings.Contains(said.String(), "the nodes may come yet; satin launch list shows them, and satin launch stop "+l.Name+" ends them\n") {
		t.Errorf("%v, %s", err, said.String())
	}
	write(t, fake+"/queue", "1|RUNNING|n4|UNLIMITED|n4\n")
	if code, out, said := s.types("list"); code != 0 || !strings.Contains(out, l.Name+"/1") || !strings.Contains(out, " starting") {
		t.Errorf("list: exit %d, %s%s", code, out, said)
	}
	if got := string(content(os.ReadFile(fake + "/squeue.argv"))); !strings.Contains(got, "\n--name="+l.Name+"\n") {
		t.Errorf("squeue is told %s", got)
	}
	if code, out, said := s.types("stop", l.Name); code != 0 {
		t.Errorf("stop: exit %d, %s%s", code, out, said)
	}
	if got := string(content(os.ReadFile(fake + "/scancel.argv"))); strings.Count(got, "--name="+l.Name+"\n") != 2 {
		t.Errorf("scancel is told %s", got)
	}
}

// TestSlurmMistakes: what sbatch would take for something else is refused.
func TestSlurmMistakes(t *testing.T) {
	s, _ := withSlurm(t)
	for _, c := range []struct{ line, want string }{
		{"slurm --partition a;b", `--partition is "a;b": the name of a partition is expected`},
		{"slurm --time soon", `--time is "soon": 90m, minutes, or`},
		{"slurm --time -1h", `--time is "-1h"`},
		{"slurm -- --array=0-3", "--array cannot stand after --: -n says how many"},
		{"slurm -- -a 0-3", "-a cannot stand after --"},
		{"slurm -- --job-name=mine", "--job-name cannot stand after --: launch finds its jobs by their name"},
		{"slurm -- -M other", "-M cannot stand after --: launch on one of that cluster's machines"},
	} {
		if code, out, said := s.types(strings.Fields(c.line)...); code != console.ExitUsage || out != "" || strings.Count(said, "\n") != 1 || !strings.Contains(said, c.want) {
			t.Errorf("%s: exit %d, %s%s, wanted %q", c.line, code, out, said, c.want)
		}
	}
	t.Setenv("SATIN_TICKET", ticketWord(t))
	if code, _, said := s.types("slurm"); code != console.ExitUsage || !strings.Contains(said, "SATIN_TICKET leads to a grid, but tasks of Slurm join by a file") {
		t.Errorf("exit %d, %s", code, said)
	}
}

// TestTimeLimits: of Go's form and of Slurm's.
func TestTimeLimits(t *testing.T) {
	for text, want := range map[string]string{"1h": "60", "90s": "2", "1m": "1", "60": "60", "1:30:00": "1:30:00", "2-0": "2-0", "UNLIMITED": "UNLIMITED", "": ""} {
		app := &cli.App{Flags: []cli.Flag{&cli.StringFlag{Name: "time"}, &cli.StringFlag{Name: "partition"}}, Action: func(c *cli.Context) error {
			if a, err := arrayOf(c); err != nil || a.Limit != want {
				t.Errorf("%s: %+v, %v", text, a, err)
			}
			return nil
		}}
		if err := app.Run([]string{"x", "--time", text}); err != nil {
			t.Error(err)
		}
	}
}

// TestBatchWords: as sbatch reads them in a script, by the escapes that it knows.
func TestBatchWords(t *testing.T) {
	for word, want := range map[string]string{"--cpus-per-task=4": "--cpus-per-task=4", "a b": `a\ b`, `it's "x" #\`: `it\'s\ \"x\"\ \#\\`} {
		if got := batchWord(word); got != want {
			t.Errorf("%s: %s", word, got)
		}
	}
}

// TestTaskStates: as squeue has them.
func TestTaskStates(t *testing.T) {
	for state, want := range map[string]Condition{"RUNNING": Here, "PENDING": Pending, "COMPLETING": Leaving, "CANCELLED": Ended, "PREEMPTED": Ended} {
		if got := taskStanding(1, "job 1", state, "n1", ""); got.State != want {
			t.Errorf("%s is %s", state, got.State)
		}
	}
}

// TestTimeLeft: as squeue has it.
func TestTimeLeft(t *testing.T) {
	for said, want := range map[string]time.Duration{
		"1-02:03:04": 26*time.Hour + 3*time.Minute + 4*time.Second, "1:30:00": 90 * time.Minute, "10:05": 605 * time.Second,
		"0:07": 7 * time.Second, "0:00": 0, "UNLIMITED": 0, "NOT_SET": 0, "INVALID": 0, "": 0, "1-": 0, "x-1:00": 0, "1:-2": 0,
		"1:1:1:1": 0, "999999999999999-00:00:00": 0,
	} {
		if got := timeLeft(said); got != want {
			t.Errorf("%q is %v, want %v", said, got, want)
		}
	}
}
