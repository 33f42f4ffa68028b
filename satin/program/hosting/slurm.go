package hosting

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// slurm is a task of a job of Slurm.
type slurm struct {
	env      func(string) string
	answered bool // squeue has, once
}

// slurmOf is the task that this process is part of, or nil.
func slurmOf(env func(string) string) *slurm {
	if env("SLURM_JOB_ID") == "" {
		return nil
	}
	return &slurm{env: env}
}

// String names the task, by the id that is its own. The variables of an array may be another's,
// whose task has submitted this job.
func (s *slurm) String() string {
	text := "job " + s.env("SLURM_JOB_ID") + " of Slurm"
	if cluster := s.env("SLURM_CLUSTER_NAME"); cluster != "" {
		text += "'s cluster " + cluster
	}
	return text
}

// site is the switch that the machine is below, or the block that it is in, where there is a
// plug-in that tells, in its cluster.
func (s *slurm) site() string {
	var parts []string
	if cluster := s.env("SLURM_CLUSTER_NAME"); cluster != "" {
		parts = append(parts, cluster)
	}
	at := strings.Split(s.env("SLURM_TOPOLOGY_ADDR"), ".")
	kinds := strings.Split(s.env("SLURM_TOPOLOGY_ADDR_PATTERN"), ".")
	for n, kind := range slices.Backward(kinds) {
		if (kind == "switch" || kind == "block") && n < len(at) && at[n] != "" {
			parts = append(parts, at[n])
			break
		}
	}
	return siteNamed(parts...)
}

// workers are the cores of this process; 0 where Slurm does not tell. A batch script is one
// process, which has all of the job's on its machine; those of a step are its tasks'. A script's
// --cpus-per-task is in the variables of its steps, too, which may have fewer.
func (s *slurm) workers() int {
	perTask := s.number("SLURM_CPUS_PER_TASK")
	cores := s.number("SLURM_CPUS_ON_NODE")
	tasks := s.env("SLURM_STEP_TASKS_PER_NODE")
	switch {
	case cores == 0:
		return perTask
	case tasks == "":
		return cores
	}
	n := tasksOn(tasks, s.env("SLURM_NODEID"))
	if n == 0 {
		return perTask
	}
	cores = max(cores/n, 1)
	if perTask > 0 {
		cores = min(cores, perTask)
	}
	return cores
}

// number is what a variable counts; 0 where it is none.
func (s *slurm) number(name string) int {
	n, err := strconv.Atoi(s.env(name))
	if err != nil {
		return 0
	}
	return max(n, 0)
}

// tasksOn is how many tasks there are on one of a step's machines, by a list such as 2(x3),1: two
// on each of the first three, one on the fourth; 0 where it does not tell.
func tasksOn(list, machine string) int {
	at, err := strconv.Atoi(machine)
	if err != nil || at < 0 {
		return 0
	}
	for part := range strings.SplitSeq(list, ",") {
		few, times, repeated := strings.Cut(part, "(x")
		machines := 1
		if repeated {
			if machines, err = strconv.Atoi(strings.TrimSuffix(times, ")")); err != nil {
				return 0
			}
		}
		if at -= machines; at < 0 {
			n, err := strconv.Atoi(few)
			if err != nil {
				return 0
			}
			return max(n, 0)
		}
	}
	return 0
}

func (s *slurm) every() time.Duration { return 0 }

// notice is when the time limit is over, as it is now. Until squeue has answered it is what the job
// was told when it started, by a Slurm that does: after that it may be out of date.
func (s *slurm) notice(ctx context.Context) (Notice, error) {
	e := Notice{Why: "the time limit of " + s.String()}
	at, err := timeLimit(ctx, s.env("SLURM_JOB_ID"))
	if err == nil {
		s.answered = true
		e.At = at
		return e, nil
	}
	if told := s.number("SLURM_JOB_END_TIME"); told > 0 && !s.answered {
		e.At = time.Unix(int64(told), 0)
		return e, nil
	}
	return Notice{}, fmt.Errorf("squeue: %w", err)
}
