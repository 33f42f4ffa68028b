package hosting

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"time"
)

// pipeMax is how long squeue's output is waited for once it has ended, or been ended: what it has
// started may hold the pipe open.
const pipeMax = time.Second

var (
	errUnlisted = errors.New("the job is not listed")
	errNoTime   = errors.New("what is listed for the job's end is no time")
)

// timeLimit is when a job of Slurm has to be over; zero: it has no limit. The id of one task of an
// array is the array's own, for which all of them are listed.
func timeLimit(ctx context.Context, job string) (time.Time, error) {
	c := exec.CommandContext(ctx, "squeue", "--noheader", "--format=%A %e", "--jobs="+job)
	c.Env = append(slices.DeleteFunc(os.Environ(), others), "SLURM_TIME_FORMAT=%s")
	c.WaitDelay = pipeMax
	out, err := c.Output()
	if err != nil {
		return time.Time{}, err
	}
	for line := range strings.Lines(string(out)) {
		if words := strings.Fields(line); len(words) > 1 && words[0] == job {
			return endIn(words[1])
		}
	}
	return time.Time{}, errUnlisted
}

// others are variables by which a user has squeue list other jobs, or those of another cluster.
func others(variable string) bool {
	return strings.HasPrefix(variable, "SQUEUE_") || strings.HasPrefix(variable, "SLURM_CLUSTERS=")
}

// endIn is the end of a job as squeue prints it: a time in seconds, or that there is no limit.
func endIn(word string) (time.Time, error) {
	if word == "NONE" || word == "N/A" {
		return time.Time{}, nil
	}
	seconds, err := strconv.ParseInt(word, 10, 64)
	if err != nil || seconds <= 0 {
		return time.Time{}, errNoTime
	}
	return time.Unix(seconds, 0), nil
}
