package control

import (
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/peer"
)

// today is a clock that has the date of people.
type today struct{ stopped }

func (today) Date() time.Time { return time.Now() }

// TestStoredRunsAreSeen beside the peer that stores them, as what they are. What looks after the
// files is refused meanwhile.
func TestStoredRunsAreSeen(t *testing.T) {
	p, by, said, folder := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir()
	if all, err := StoredRuns(folder, "this build"); len(all) > 0 || err != nil {
		t.Errorf("where nothing was stored there is %v, %v", all, err)
	}
	c := &Config{
		State: folder, Clock: today{}, Log: slog.New(slog.NewTextHandler(said, nil)),
		Build: func() (string, error) { return "this build", nil },
	}
	d, _ := openDisk(t.Context(), c, p.post, by)
	b := batch()
	b.Record.Head.Asked = peer.Asked{By: "anna@desk", Label: "a task"}
	d.Save(b, func(bool) {})
	by.Wait()
	all, err := StoredRuns(folder, "this build")
	if err != nil || len(all) != 1 {
		t.Fatalf("%+v, %v", all, err)
	}
	r := all[0]
	if r.Key != stored.Run || !r.Own || r.Task != "task" || r.By != "anna@desk" || r.Label != "a task" ||
		r.Answered || !r.Root || !r.Best || r.Results != 1 || r.Bytes == 0 {
		t.Errorf("%+v", r)
	}
	if all, err := StoredRuns(folder, "another"); err != nil || len(all) != 1 || all[0].Own {
		t.Errorf("to another build there is %+v, %v", all, err)
	}
	_, err = CheckStore(folder)
	if _, failed := PruneStore(folder); !errors.Is(err, ErrStoreBusy) || !errors.Is(failed, ErrStoreBusy) {
		t.Errorf("%v, %v", err, failed)
	}

	// It is given up: what is left has no name any more.
	d.Forget(peer.Forget{Place: stored.Run})
	by.Wait()
	d.close()
	if all, err := StoredRuns(folder, "this build"); err != nil || len(all) != 1 || all[0].Task != "" || all[0].Results != 1 {
		t.Errorf("%+v, %v", all, err)
	}
	if found, err := CheckStore(folder); err != nil || found.Runs != 1 || found.Values != 2 || found.Damaged != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}

// TestDamageIsCounted, also what is found as soon as the store is opened; and it is gone then.
func TestDamageIsCounted(t *testing.T) {
	p, by, said, folder := newPosted(), new(sync.WaitGroup), new(strings.Builder), t.TempDir()
	d := aDisk(t, folder, &p, by, said)
	d.Save(batch(), func(bool) {})
	by.Wait()
	d.close()
	files, err := filepath.Glob(filepath.Join(folder, storeFolder, "*.run"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%q, %v", files, err)
	}
	text, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	text[3] ^= 1 // the file is no run's any more
	if err := os.WriteFile(files[0], text, 0o600); err != nil {
		t.Fatal(err)
	}
	if found, err := CheckStore(folder); err != nil || found.Damaged != 1 || found.Runs != 0 {
		t.Errorf("%+v, %v", found, err)
	}
	if freed, err := PruneStore(folder); err != nil || freed == 0 {
		t.Errorf("the damaged file stays: %d, %v", freed, err)
	}
	if found, err := CheckStore(folder); err != nil || found.Damaged != 0 {
		t.Errorf("%+v, %v", found, err)
	}
}
