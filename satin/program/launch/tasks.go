package launch

import (
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// saidMost is how much of the end of a log is looked at.
const saidMost = 1 << 20

// tasks are those that Slurm has, by their numbers.
func (s *bySlurm) tasks(ctx context.Context, l *Launch) (map[int]Standing, error) {
	found := map[int]Standing{}
	words := append([]string{"squeue"}, l.Slurm.clusters()...)
	which := "--jobs=" + l.Slurm.Job
	if l.Slurm.Job == "" { // sbatch has not said it
		which = "--name=" + l.Name
	}
	out, err := s.slurm(ctx, "", append(words, "--noheader", "--array", "--format=%K|%T|%N|%L|%R", which)...)
	var said *saidError
	if errors.As(err, &said) && strings.Contains(said.text, "Invalid job id") {
		return found, nil // all have ended, and are forgotten
	}
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(out) {
		words := strings.SplitN(strings.TrimSpace(line), "|", 5)
		if len(words) < 5 {
			continue
		}
		n, err := strconv.Atoi(words[0])
		if err != nil || n < 1 || n > l.Nodes {
			continue
		}
		is := taskStanding(n, "job "+l.Slurm.Job, words[1], words[2], words[4])
		if is.State == Here {
			is.Left = timeLeft(words[3])
		}
		found[n] = is
	}
	return found, nil
}

// taskStanding is how a task stands by what squeue says of it.
func taskStanding(n int, job, state, machine, reason string) Standing {
	switch state {
	case "RUNNING":
		return standing(n, machine, Here, "")
	case "PENDING", "REQUEUED", "CONFIGURING", "REQUEUE_HOLD", "SUSPENDED":
		return standing(n, job, Pending, strings.Trim(reason, "()"))
	case "COMPLETING", "STOPPED", "SIGNALING", "STAGE_OUT":
		return standing(n, machine, Leaving, "")
	}
	return standing(n, job, Ended, strings.ToLower(state))
}

// daysMost is more than any limit of a job.
const daysMost = 36500

// timeLeft is what squeue says of the time that a task has left, [DAYS-]HOURS:MINUTES:SECONDS
// without what is zero on the left; 0: it has no limit, or none is known.
func timeLeft(said string) time.Duration {
	days, clock, has := strings.Cut(said, "-")
	if !has {
		days, clock = "0", said
	}
	total, err := strconv.Atoi(days)
	if err != nil {
		return 0
	}
	parts := strings.Split(clock, ":")
	if total < 0 || total > daysMost || len(parts) > 3 {
		return 0
	}
	for range 3 - len(parts) {
		parts = slices.Insert(parts, 0, "0")
	}
	for i, base := range []int{24, 60, 60} {
		n, err := strconv.Atoi(parts[i])
		if err != nil || n < 0 || n > daysMost {
			return 0
		}
		total = total*base + n
	}
	return time.Duration(total) * time.Second
}

// logged is what the log of a task says, as far as it is wanted.
func (l *Launch) logged(n int, wanted func(string) string) string {
	f, err := os.Open(filepath.Join(l.folder, strconv.Itoa(n)+".log"))
	if err != nil {
		return ""
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && info.Size() > saidMost {
		f.Seek(-saidMost, io.SeekEnd)
	}
	text, err := io.ReadAll(io.LimitReader(f, saidMost))
	if err != nil {
		return ""
	}
	return wanted(string(text))
}

// memberLine is the last line that says which grid a node is in, if it has not left since.
func memberLine(text string) (found string) {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		name, rest, has := strings.Cut(line, " has ")
		switch {
		case has && !strings.Contains(name, " ") && strings.Contains(rest, " grid "):
			found = line
		case strings.HasSuffix(line, ": left"):
			found = ""
		}
	}
	return found
}
