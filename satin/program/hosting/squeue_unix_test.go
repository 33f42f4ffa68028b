//go:build unix

package hosting

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// squeue is a folder that PATH names, with a squeue in it that does what a shell says.
func squeue(t *testing.T) (does func(string)) {
	folder := t.TempDir()
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	return func(script string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(folder, "squeue"), []byte("#!/bin/sh\n"+script+"\n"), 0o700); err != nil {
			t.Fatal(err)
		}
	}
}

// limit is what a task is told of its time limit.
func limit(t *testing.T, s *slurm) time.Time {
	t.Helper()
	e, err := s.notice(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if want := "the time limit of " + s.String(); e.Why != want {
		t.Errorf("it ends for %q, not for %q", e.Why, want)
	}
	return e.At
}

// TestTimeLimit: as squeue prints it in the line of one's own job, whatever else the user's
// variables would have it print. Another job's array is inherited by one that it has submitted.
func TestTimeLimit(t *testing.T) {
	does := squeue(t)
	t.Setenv("SQUEUE_STATES", "PENDING")
	t.Setenv("SLURM_CLUSTERS", "elsewhere")
	t.Setenv("SLURM_TIME_FORMAT", "relative")
	s := task("SLURM_JOB_ID", "12", "SLURM_ARRAY_JOB_ID", "9", "SLURM_ARRAY_TASK_ID", "3")
	does(`[ "$SLURM_TIME_FORMAT $SQUEUE_STATES$SLURM_CLUSTERS$*" = '%s --noheader --format=%A %e --jobs=12' ] && printf '2 1700000001\n12 1700000002\n3 1700000003\n'`)
	if at := limit(t, s); at.Unix() != 1700000002 {
		t.Errorf("its limit is %v", at)
	}
	for _, none := range []string{"NONE", "N/A"} {
		does("echo 12 " + none)
		if at := limit(t, s); !at.IsZero() {
			t.Errorf("with %s its limit is %v", none, at)
		}
	}
}

// TestTimeLimitWithoutAnAnswer: what the job was told when it started holds, until squeue has
// answered once; an older limit is not known again.
func TestTimeLimitWithoutAnAnswer(t *testing.T) {
	does := squeue(t)
	for what, script := range map[string]string{
		"a failure": "exit 1", "nothing": "", "another job": "echo 13 1700000002", "a word": "echo 12 soon", "one column": "echo 12", "no time": "echo 12 0",
	} {
		does(script)
		if e, err := task("SLURM_JOB_ID", "12").notice(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "squeue: ") {
			t.Errorf("%s: %v, %v", what, e, err)
		}
		s := task("SLURM_JOB_ID", "12", "SLURM_JOB_END_TIME", "1700000000")
		if at := limit(t, s); at.Unix() != 1700000000 {
			t.Errorf("%s: the limit is %v", what, at)
		}
		does("echo 12 1700000002")
		if at := limit(t, s); at.Unix() != 1700000002 {
			t.Errorf("its limit is %v", at)
		}
		does(script)
		if e, err := s.notice(t.Context()); err == nil {
			t.Errorf("%s: after an answer it ends: %v", what, e)
		}
	}
}

// TestSqueueLeavesAChild: one that holds the pipe open is not waited for.
func TestSqueueLeavesAChild(t *testing.T) {
	squeue(t)("sleep 20 & sleep 20")
	began := time.Now()
	if _, err := ask(t.Context(), task("SLURM_JOB_ID", "12").notice); err == nil {
		t.Error("it answers")
	}
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("it takes %v", d)
	}
}
