package launch

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

const (
	// tellMax is how long a command of Slurm may take: its controller is busy at times.
	tellMax = time.Minute

	// endMax is how long tasks are waited for that are to end: Slurm kills them after KillWait,
	// which is 30 s if nothing else was configured.
	endMax = 90 * time.Second

	// endEvery is how often it is looked whether they have.
	endEvery = time.Second
)

func slurmCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "slurm", Usage: "start nodes as a job array of Slurm", ArgsUsage: "[-- SBATCH FLAGS]",
		Description: `Submits a job array of one-node tasks, each of which is a node of this executable: its site is the switch that its machine
is below, and it leaves ahead of its time limit. A task that makes room for others leaves in the partition's GraceTime,
comes back when it is requeued, and goes on with what it has stored. The executable, the state folder and --join
are to be on a file system that the machines share. What stands after -- are more flags of sbatch, such as
--cpus-per-task=4. --print writes the batch script; sbatch takes it as it is.`,
		Flags: flagsOf(con, byFolder, nodesFlag("how many tasks"),
			&cli.StringFlag{Name: "partition", Usage: "`NAME` of the partition", DefaultText: "Slurm's"},
			&cli.StringFlag{Name: "time", Usage: "`D` after which Slurm ends a task: 90m, or 1:30:00 as sbatch takes it", DefaultText: "Slurm's"},
		),
		Action: func(c *cli.Context) error {
			l, err := newLaunch(con, c, slurmWord)
			if err == nil {
				err = l.joinsBy(con, c)
			}
			if err == nil {
				l.Slurm, err = arrayOf(c)
			}
			if err == nil && strings.Contains(l.Program, "/go-build") {
				err = console.Usage("this executable is %s, which go run takes away when it ends: build one that stays, as go build does", l.Program)
			}
			if _, none := exec.LookPath("sbatch"); err == nil && none != nil && !c.Bool("print") {
				err = errors.New("there is no command sbatch here: type this where jobs of Slurm are submitted")
			}
			if err != nil {
				return err
			}
			return start(con, c, l)
		},
	}
}

// bySlurm launches nodes as tasks of an array.
type bySlurm struct{ con *console.Console }

// Start gives sbatch all options as arguments, too: variables of its own such as SBATCH_PARTITION
// count more than what stands in the script.
func (s *bySlurm) Start(ctx context.Context, l *Launch, tell func(Standing)) error {
	out, err := s.slurm(ctx, s.Script(l), slices.Concat([]string{"sbatch", "--parsable"}, l.options(), l.Flags)...)
	var said *saidError
	var none *noCommand
	switch {
	case errors.As(err, &said), errors.As(err, &none):
		return err
	case err != nil: // sbatch was ended, and its request may be on its way
		return &unsure{err}
	}
	l.Slurm.Job, l.Slurm.Cluster, _ = strings.Cut(wording.LastLine(out), ";")
	if _, err := strconv.Atoi(l.Slurm.Job); err != nil {
		l.Slurm.Job = ""
		return fmt.Errorf("sbatch has said %q, where a job's id is expected", wording.LastLine(out))
	}
	if err := l.save(); err != nil {
		return err
	}
	tell(Standing{First: 1, Last: l.Nodes, Where: "job " + l.Slurm.Job, State: Pending, Said: "submitted; logs are in " + l.folder})
	return nil
}

func (s *bySlurm) List(ctx context.Context, l *Launch, tell func(Standing)) error {
	found, err := s.tasks(ctx, l)
	if err != nil {
		return err
	}
	for _, n := range l.all() {
		is, listed := found[n]
		if !listed {
			is = standing(n, "job "+l.Slurm.Job, Ended, l.logged(n, wording.LastLine))
		}
		if is.State == Here { // as far as Slurm is concerned
			if is.Said = l.logged(n, memberLine); is.Said == "" {
				is.State = Starting
			}
		}
		tell(is)
	}
	return nil
}

func (s *bySlurm) Stop(ctx context.Context, l *Launch, nodes []int, remove bool, tell func(Standing)) error {
	if err := s.cancel(ctx, l, nodes); err != nil {
		return err
	}
	late := time.Now().Add(endMax)
	for {
		found, err := s.tasks(ctx, l)
		if err != nil {
			return err
		}
		left := slices.DeleteFunc(slices.Clone(nodes), func(n int) bool {
			is, listed := found[n]
			return !listed || is.State == Ended
		})
		if len(left) > 0 && time.Now().Before(late) {
			select {
			case <-time.After(endEvery):
				continue
			case <-ctx.Done():
				return ctx.Err()
			}
		}
		for _, n := range nodes {
			is := standing(n, "job "+l.Slurm.Job, Ended, l.logged(n, wording.LastLine))
			if slices.Contains(left, n) {
				is = found[n]
			}
			tell(is)
		}
		if remove && len(left) == 0 && len(nodes) == l.Nodes {
			return l.clear()
		}
		return nil
	}
}

// cancel ends tasks, also those that are pending.
func (s *bySlurm) cancel(ctx context.Context, l *Launch, nodes []int) error {
	words := append([]string{"scancel"}, l.Slurm.clusters()...)
	switch {
	case l.Slurm.Job == "": // sbatch has not said it, or was interrupted
		words = append(words, "--name="+l.Name)
	case len(nodes) == l.Nodes:
		words = append(words, l.Slurm.Job)
	default:
		for _, n := range nodes {
			words = append(words, fmt.Sprintf("%s_%d", l.Slurm.Job, n))
		}
	}
	_, err := s.slurm(ctx, "", words...)
	var said *saidError
	if errors.As(err, &said) && strings.Contains(said.text, "Invalid job id") {
		return nil // they have ended
	}
	return err
}

// slurm has a command of Slurm do something.
func (s *bySlurm) slurm(ctx context.Context, in string, words ...string) (string, error) {
	ctx, cancel := context.WithTimeoutCause(ctx, tellMax, fmt.Errorf("%s has not ended within %v", words[0], tellMax))
	defer cancel()
	without := withoutTicket(s.con)
	if words[0] != "sbatch" {
		// by these, other jobs are meant
		without = append(without, "SQUEUE_", "SCANCEL_", "SLURM_CLUSTERS=")
	}
	out, err := execute(ctx, strings.NewReader(in), without, words...)
	if errors.Is(err, exec.ErrNotFound) {
		return "", &noCommand{words[0], "type this where jobs of Slurm are looked after"}
	}
	return out, err
}

// noCommand says that a command is not there, and what to do about it.
type noCommand struct{ name, instead string }

func (n *noCommand) Error() string { return "there is no command " + n.name + " here: " + n.instead }

// clear takes away what the nodes have left, but not the record.
func (l *Launch) clear() error {
	entries, err := os.ReadDir(l.folder)
	for _, e := range entries {
		if e.Name() != recordFile {
			err = errors.Join(err, os.RemoveAll(filepath.Join(l.folder, e.Name())))
		}
	}
	if err != nil {
		return fmt.Errorf("what the nodes have left: %w", err)
	}
	return nil
}
