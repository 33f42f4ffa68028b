//go:build unix

package hosting

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTimeLimit: as squeue prints it for the one task; of a job without a limit there is none.
func TestTimeLimit(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("PATH", folder)
	s := task("SLURM_JOB_ID", "12", "SLURM_ARRAY_JOB_ID", "9", "SLURM_ARRAY_TASK_ID", "3")
	if _, err := s.notice(t.Context()); err == nil || !strings.HasPrefix(err.Error(), "squeue: ") {
		t.Errorf("without squeue: %v", err)
	}
	told := task("SLURM_JOB_ID", "12", "SLURM_JOB_END_TIME", "1700000000")
	if e, err := told.notice(t.Context()); err != nil || e.At.Unix() != 1700000000 {
		t.Errorf("told by a variable: %v, %v", e, err)
	}
	squeue := func(prints string) {
		t.Helper()
		script := "#!/bin/sh\n[ \"$SLURM_TIME_FORMAT $*\" = 'standard --noheader --format=%e --jobs=9_3' ] && echo '" + prints + "'\n"
		if err := os.WriteFile(filepath.Join(folder, "squeue"), []byte(script), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	squeue("2026-11-24T17:00:05")
	want := Notice{time.Date(2026, 11, 24, 17, 0, 5, 0, time.Local), "the time limit of job 9_3 of Slurm"}
	if e, err := s.notice(t.Context()); err != nil || e != want {
		t.Errorf("%v, %v; want %v", e, err, want)
	}
	squeue("N/A")
	if e, err := s.notice(t.Context()); err != nil || !e.At.IsZero() {
		t.Errorf("without a limit: %v, %v", e, err)
	}
}
