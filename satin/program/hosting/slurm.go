package hosting

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// slurm is a task of a job of Slurm.
type slurm struct {
	env func(string) string
}

// slurmOf is the task that this process is part of, or nil.
func slurmOf(env func(string) string) *slurm {
	if env("SLURM_JOB_ID") == "" {
		return nil
	}
	return &slurm{env}
}

// String names the task.
func (s *slurm) String() string {
	text := "job " + s.job() + " of Slurm"
	if cluster := s.env("SLURM_CLUSTER_NAME"); cluster != "" {
		text += "'s cluster " + cluster
	}
	return text
}

// job is how commands of Slurm are told which job is meant: of an array the one task. The job id of
// one of them is the array's own, which stands for all.
func (s *slurm) job() string {
	if array := s.env("SLURM_ARRAY_JOB_ID"); array != "" {
		return array + "_" + s.env("SLURM_ARRAY_TASK_ID")
	}
	return s.env("SLURM_JOB_ID")
}

// site is the switch that the machine is below, where there is a plug-in that tells, in its
// cluster.
func (s *slurm) site() string {
	var parts []string
	if cluster := s.env("SLURM_CLUSTER_NAME"); cluster != "" {
		parts = append(parts, cluster)
	}
	at := strings.Split(s.env("SLURM_TOPOLOGY_ADDR"), ".")
	kinds := strings.Split(s.env("SLURM_TOPOLOGY_ADDR_PATTERN"), ".")
	for n, kind := range slices.Backward(kinds) {
		if kind == "switch" && n < len(at) && at[n] != "" {
			parts = append(parts, at[n])
			break
		}
	}
	return siteNamed(parts...)
}

// workers are the cores of the task; 0 where Slurm does not tell.
func (s *slurm) workers() int {
	if n, err := strconv.Atoi(s.env("SLURM_CPUS_PER_TASK")); err == nil {
		return max(n, 0)
	}
	cores, err := strconv.Atoi(s.env("SLURM_CPUS_ON_NODE"))
	tasks := s.env("SLURM_STEP_TASKS_PER_NODE")
	if tasks == "" {
		tasks = s.env("SLURM_TASKS_PER_NODE")
	}
	// such as 2(x3): two on each of three nodes; where they differ, as in 2,1, nothing is told
	few, _, _ := strings.Cut(tasks, "(")
	n, wrong := strconv.Atoi(few)
	if err != nil || wrong != nil || n < 1 || cores < 1 {
		return 0
	}
	return max(cores/n, 1)
}

func (s *slurm) every() time.Duration { return 0 }

// slurmTime is how Slurm writes times, in the zone of the machine.
const slurmTime = "2006-01-02T15:04:05"

// notice is when the time limit is over, as it is now. Where squeue is not there it is what the job
// was told when it started, by a Slurm that does.
func (s *slurm) notice(ctx context.Context) (Notice, error) {
	e := Notice{Why: "the time limit of " + s.String()}
	c := exec.CommandContext(ctx, "squeue", "--noheader", "--format=%e", "--jobs="+s.job())
	c.Env = append(os.Environ(), "SLURM_TIME_FORMAT=standard")
	out, err := c.Output()
	if err != nil {
		seconds, none := strconv.ParseInt(s.env("SLURM_JOB_END_TIME"), 10, 64)
		if none != nil {
			return Notice{}, fmt.Errorf("squeue: %w", err)
		}
		e.At = time.Unix(seconds, 0)
		return e, nil
	}
	if at, err := time.ParseInLocation(slurmTime, strings.TrimSpace(string(out)), time.Local); err == nil {
		e.At = at
	}
	return e, nil // else there is no limit
}
