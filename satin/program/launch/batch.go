package launch

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
)

// Array is a job array of Slurm, whose tasks are the nodes.
type Array struct {
	Job       string `json:"job"`               // its id; "": it is not submitted yet
	Cluster   string `json:"cluster,omitempty"` // where there are several
	Partition string `json:"partition,omitempty"`
	Limit     string `json:"limit,omitempty"` // of time, as sbatch takes it
}

var (
	partitionWord = regexp.MustCompile(`^[\w.,-]+$`)
	limitWord     = regexp.MustCompile(`(?i)^([0-9]+-)?[0-9]+(:[0-9]+){0,2}$|^infinite$|^unlimited$`)
)

// arrayOf is a job array as the flags have it.
func arrayOf(c *cli.Context) (*Array, error) {
	a := &Array{Partition: c.String("partition"), Limit: c.String("time")}
	if a.Partition != "" && (!partitionWord.MatchString(a.Partition) || a.Partition[0] == '-') {
		return nil, console.Usage("--partition is %q: the name of a partition is expected, as sinfo lists them", a.Partition)
	}
	if d, err := time.ParseDuration(a.Limit); err == nil && d > 0 {
		a.Limit = strconv.Itoa(int((d + time.Minute - 1) / time.Minute))
	} else if a.Limit != "" && !limitWord.MatchString(a.Limit) {
		return nil, console.Usage("--time is %q: 90m, minutes, or [DAYS-]HOURS:MINUTES:SECONDS is expected", a.Limit)
	}
	return a, nil
}

// clusters say where the job is.
func (a *Array) clusters() []string {
	if a.Cluster == "" {
		return nil
	}
	return []string{"--clusters=" + a.Cluster}
}

// batchScript is what a task does, after what sbatch reads and paths that vary. The node takes the
// shell's place, so that what Slurm signals is the node, once: a second SIGTERM, a second later or
// more, would end it at once. So there is no --signal either, ahead of Slurm's own SIGTERM: the
// node finds out about its time limit by itself.
const batchScript = `umask 077
mkdir -p "$dir" || exit 1
exec >>"$dir/$SLURM_ARRAY_TASK_ID.log" 2>&1
# A leave may take 20 s, or less where Slurm kills sooner after its SIGTERM.
killed=$(scontrol show config 2>/dev/null | sed -n 's/^KillWait *= *\([0-9][0-9]*\).*/\1/p')
set --
[ "${killed:-30}" -ge 23 ] || set -- --grace "$((killed > 4 ? killed - 3 : 1))s"
exec %s "$@"
`

func (s *bySlurm) Script(l *Launch) string {
	var b strings.Builder
	b.WriteString("#!/bin/sh\n")
	for _, option := range l.options() {
		fmt.Fprintf(&b, "#SBATCH %s\n", option)
	}
	if len(l.Flags) > 0 {
		words := make([]string, len(l.Flags))
		for n, word := range l.Flags {
			words[n] = batchWord(word)
		}
		fmt.Fprintf(&b, "#SBATCH %s\n", strings.Join(words, " "))
	}
	fmt.Fprintf(&b, "# Each task is a node of %s, with a log and a state folder, which it has again when it is requeued, below dir.\n# It leaves at SIGTERM, within 20 s: GraceTime of a partition whose jobs make room should be as long.\ndir=%s\n",
		s.con.Name, quoted(l.folder))
	b.WriteString(l.making())
	words := quotedAll([]string{l.Program, "node", "--auto", "--state"}) + ` "$dir/$SLURM_JOB_ID" --join ` + quoted(l.Join)
	if l.Site != "" {
		words += " --site " + quoted(l.Site)
	}
	fmt.Fprintf(&b, batchScript, words)
	return b.String()
}

// options are what sbatch is told of every launch, in words that need no escape. The name tells the
// job from all others, should its id not become known.
func (l *Launch) options() []string {
	all := []string{
		"--job-name=" + l.Name, fmt.Sprintf("--array=1-%d", l.Nodes), "--nodes=1", "--ntasks=1", "--requeue", "--output=/dev/null",
	}
	if l.Slurm.Partition != "" {
		all = append(all, "--partition="+l.Slurm.Partition)
	}
	if l.Slurm.Limit != "" {
		all = append(all, "--time="+l.Slurm.Limit)
	}
	return all
}

// batchWord is a word as sbatch reads it in a script: what means something there is escaped.
func batchWord(word string) string {
	var b strings.Builder
	for _, r := range word {
		if strings.ContainsRune("\\\"'# \t:", r) {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
	}
	return b.String()
}
