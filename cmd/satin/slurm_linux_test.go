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

// slurmVariable asks for the test with Slurm, which takes a minute.
const slurmVariable = "SATIN_SLURM"

// slurmNodes are the machines of a cluster of a test, each of one core, in two racks.
const slurmNodes = 6

// slurm is a whole Slurm on this machine: one controller and a daemon for each machine that it
// believes in.
type slurm struct {
	folder string
	conf   string
}

// slurmConf is its configuration, with the machine's name, the folder and a port. What is urgent
// takes the place of what runs in the other partition, whose jobs have a moment to end.
const slurmConf = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[3]d
SlurmUser=root
SlurmdUser=root
AuthInfo=socket=%[2]s/munge/socket
StateSaveLocation=%[2]s/state
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdPidFile=%[2]s/%%n.pid
SlurmdSpoolDir=%[2]s/%%n
SlurmdLogFile=%[2]s/%%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerParameters=sched_interval=1,bf_interval=1
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
ReturnToService=2
SlurmdParameters=config_overrides
TopologyPlugin=topology/tree
PartitionName=spot Nodes=ALL Default=YES PriorityTier=1 GraceTime=15
PartitionName=urgent Nodes=ALL PriorityTier=9 PreemptMode=OFF
`

// startSlurm starts one, or skips the test where there is none to be started.
func startSlurm(t *testing.T) *slurm {
	t.Helper()
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("%v: Debian has it in munge and slurm-wlm", err)
		}
	}
	if os.Getuid() != 0 {
		t.Skip("not as root, as a cluster's daemons run")
	}
	folder := t.TempDir()
	for up := folder; len(up) > len(os.TempDir()); up = filepath.Dir(up) { // to the socket
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	s := &slurm{folder: folder, conf: filepath.Join(folder, "slurm.conf")}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	host, _, _ = strings.Cut(host, ".")
	port := 20000 + os.Getpid()%20000
	text := fmt.Sprintf(slurmConf, host, folder, port)
	for n := 1; n <= slurmNodes; n++ {
		text += fmt.Sprintf("NodeName=n%d NodeHostname=%s NodeAddr=127.0.0.1 Port=%d CPUs=1 RealMemory=500 State=UNKNOWN\n", n, host, port+n)
	}
	s.write(t, "slurm.conf", text)
	s.write(t, "topology.conf", "SwitchName=rack0 Nodes=n[1-3]\nSwitchName=rack1 Nodes=n[4-6]\nSwitchName=root Switches=rack[0-1]\n")
	for _, name := range []string{"munge", "state", "grid", "n1", "n2", "n3", "n4", "n5", "n6"} {
		if err := os.Mkdir(filepath.Join(folder, name), 0o711); err != nil {
			t.Fatal(err)
		}
	}
	s.write(t, "munge/key", strings.Repeat("of a test only; ", 64))
	socket := filepath.Join(folder, "munge", "socket")
	s.daemon(t, "munged", "--foreground", "--force", "--key-file="+folder+"/munge/key", "--socket="+socket,
		"--pid-file="+folder+"/munge/pid", "--log-file="+folder+"/munge/log", "--seed-file="+folder+"/munge/seed")
	await.Until(t, "munge listens", func() bool { _, err := os.Stat(socket); return err == nil })
	s.daemon(t, "slurmctld", "-D", "-c")
	for n := 1; n <= slurmNodes; n++ {
		s.daemon(t, "slurmd", "-D", "-N", fmt.Sprint("n", n))
	}
	await.Until(t, "all machines are idle", func() bool {
		out, _ := s.command("sinfo", "--noheader", "--partition=spot", "--states=idle", "--format=%D").Output()
		return strings.TrimSpace(string(out)) == fmt.Sprint(slurmNodes)
	})
	return s
}

func (s *slurm) write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(s.folder, name), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func (s *slurm) command(words ...string) *exec.Cmd {
	c := exec.Command(words[0], words[1:]...)
	c.Env = append(os.Environ(), "SLURM_CONF="+s.conf)
	c.Dir = s.folder
	return c
}

// daemon starts a daemon that ends with the test.
func (s *slurm) daemon(t *testing.T, name string, args ...string) {
	t.Helper()
	c := s.command(append([]string{name}, args...)...)
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		c.Process.Kill()
		c.Wait()
	})
}

// says runs a command of Slurm, and gives what it prints.
func (s *slurm) says(t *testing.T, words ...string) string {
	t.Helper()
	out, err := s.command(words...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %v\n%s", words, err, out)
	}
	return strings.TrimSpace(string(out))
}

// launched are tasks that are nodes, by one command.
type launched struct {
	*slurm
	name, job string
}

// launch starts tasks that are nodes of the grid of a folder.
func (s *slurm) launch(t *testing.T, tasks int) *launched {
	t.Helper()
	out := s.satin(t, "launch", "slurm", "-n", fmt.Sprint(tasks), "--time", "10m", "--join", s.folder+"/grid", "--", "--cpus-per-task=1")
	name, rest, _ := strings.Cut(out, "/1-")
	_, rest, _ = strings.Cut(rest, " job ")
	job, _, found := strings.Cut(rest, " ")
	if !found {
		t.Fatalf("launch says %s", out)
	}
	return &launched{s, name, job}
}

// satin is what the command prints, typed where jobs are submitted.
func (s *slurm) satin(t *testing.T, words ...string) string {
	t.Helper()
	c := s.command(append([]string{binary}, words...)...)
	c.Env = append(c.Env, "SATIN_STATE="+s.folder+"/kept", "SATIN_LISTEN="+anyPort)
	var said strings.Builder
	c.Stderr = &said
	out, err := c.Output()
	if err != nil {
		t.Fatalf("%v: %v\n%s%s", words, err, out, said.String())
	}
	return string(out)
}

// said is what a task has printed.
func (l *launched) said(t *testing.T, task int) string {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("%s/kept/launch/%s/%d.log", l.folder, l.name, task))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return string(text)
}

// node is the name of the node that a task is, once it is in; "" before.
func (l *launched) node(t *testing.T, task int) string {
	t.Helper()
	for line := range strings.Lines(l.said(t, task)) {
		if name, _, found := strings.Cut(line, " has "); found && strings.Contains(line, " grid ") {
			return name
		}
	}
	return ""
}

// TestSlurm: an array of tasks becomes a grid by itself, each at the site of its rack; a run from
// outside computes there while more come, and while two, the master among them, make room for what
// is more urgent. The answer is right, and all who are told to end leave in order.
func TestSlurm(t *testing.T) {
	if os.Getenv(slurmVariable) == "" {
		t.Skip(slurmVariable, " is not set; .ci/steps/chaos.sh sets it")
	}
	s := startSlurm(t)
	outlasting(t, boards[2:], func(w load) bool { return s.computes(t, w) })
}

// computes is one run of TestSlurm. It is false where that was over too soon.
func (s *slurm) computes(t *testing.T, w load) bool {
	first := s.launch(t, 4)
	defer func() { first.end(t, 4) }()
	names := map[string]int{}
	await.Until(t, "four tasks are nodes", func() bool {
		for n := 1; n <= 4; n++ {
			if name := first.node(t, n); name != "" {
				names[name] = n
			}
		}
		return len(names) == 4
	})
	for name := range names {
		if !strings.HasPrefix(name, "test-rack0/") && !strings.HasPrefix(name, "test-rack1/") {
			t.Errorf("a node is called %s", name)
		}
	}
	run := startJoined(t, nil, filepath.Join(s.folder, "grid"), w.args...)
	run.underway(t)
	more := s.launch(t, 2)
	defer func() { more.end(t, 2) }()
	await.Until(t, "two more tasks are nodes", func() bool { return more.node(t, 1) != "" && more.node(t, 2) != "" })
	if said := s.satin(t, "launch", "list"); strings.Count(said, " here: test-rack") != 6 {
		t.Errorf("list: %s", said)
	}
	masters := run.masters(t)
	if run.over() {
		return false
	}
	master, known := names[masters[0]]
	if !known {
		t.Fatalf("the master is %v, of %v", masters, names)
	}
	taken := []int{master, master%4 + 1}
	machines := s.says(t, "squeue", "--noheader", "--format=%N", fmt.Sprintf("--jobs=%s_%d,%s_%d", first.job, taken[0], first.job, taken[1]))
	urgent := s.says(t, "sbatch", "--parsable", "--partition=urgent", "--nodes=2", "--nodelist="+strings.ReplaceAll(machines, "\n", ","), "--wrap=sleep 300")
	defer s.says(t, "scancel", urgent)
	for _, n := range taken {
		await.Until(t, fmt.Sprintf("task %d has left", n), func() bool { return strings.HasSuffix(first.said(t, n), "satin: left\n") })
	}
	if run.over() {
		return false
	}
	var d program.Document
	if got := run.result(); json.Unmarshal([]byte(got.out), &d) != nil || d.Answer.(map[string]any)[w.name] != w.value || len(d.Masters) < 2 {
		t.Errorf("%s: exit %d, %s%s; wanted are %v, and two masters", run.said, got.code, got.out, got.err, w.value)
	}
	fmt.Printf("slurm: %d tasks, 2 of them made room, the master among them; %d masters, %s in %.0f s\n", slurmNodes, len(d.Masters), w.args, d.Seconds)
	return true
}

// end stops a launch, and sees that its tasks leave in order.
func (l *launched) end(t *testing.T, tasks int) {
	t.Helper()
	if said := l.satin(t, "launch", "stop", l.name); strings.Count(said, " ended: satin: left\n") != tasks {
		t.Errorf("stop: %s", said)
	}
	for n := 1; n <= tasks; n++ {
		if said := l.said(t, n); !strings.HasSuffix(said, "\nsatin: left\n") {
			t.Errorf("task %s_%d has not left in order:\n%s", l.job, n, said)
		}
	}
}
