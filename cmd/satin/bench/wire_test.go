package bench

import (
	"os"
	"runtime"
	"testing"
)

// TestFirstStolen checks that a job is stolen, not how soon.
func TestFirstStolen(t *testing.T) {
	before := runtime.GOMAXPROCS(0)
	defer runtime.GOMAXPROCS(before)
	if d, err := firstStolen(t.Context()); err != nil || d <= 0 {
		t.Errorf("%v, %v", d, err)
	}
}

func TestCost(t *testing.T) {
	if _, err := os.Stat("/proc/self/stat"); err != nil {
		t.Skip("no /proc here")
	}
	if cpu, rss, ok := cost(os.Getpid()); !ok || cpu < 0 || rss < 1<<20 {
		t.Errorf("%v, %d bytes, %v", cpu, rss, ok)
	}
	if _, _, ok := cost(-1); ok {
		t.Error("a process that is not there has a cost")
	}
}
