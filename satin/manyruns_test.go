package satin_test

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/ticket"
)

const (
	// smallRunsVariable is how many runs TestManySmallRuns has; without it there are few.
	smallRunsVariable = "SATIN_SMALL_RUNS"
	smallRunsFew      = 100

	// smallStore is what the store of each peer may take: some sixty of the runs.
	smallStore = 256 << 10
)

// Sum adds up the numbers from From to To, by halves.
type Sum struct{ From, To int }

func (j Sum) Run(s *satin.Scope) (int, error) {
	if j.To-j.From < 8 {
		sum := 0
		for n := j.From; n < j.To; n++ {
			sum += n
		}
		return sum, nil
	}
	mid := (j.From + j.To) / 2
	left, right := satin.Spawn(s, Sum{j.From, mid}), satin.Spawn(s, Sum{mid, j.To})
	x, err := left.Wait(s)
	y, errRight := right.Wait(s)
	return x + y, errors.Join(err, errRight)
}

// openSum opens a peer, or a client when it is to have no state, of the grid of a ticket, which has
// its address afterwards.
func openSum(t testing.TB, tk *ticket.Ticket, name, state string) *satin.Peer {
	t.Helper()
	p, err := satin.Open(t.Context(), satin.Config{
		App: satin.App{Name: "sums", Tasks: []satin.TaskType{satin.Type[Sum]()}}, Workers: 1, Client: state == "", Ticket: *tk,
		Site: "a", Name: name, State: state, Store: smallStore, Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	if len(tk.Addrs) == 0 {
		tk.Addrs = p.Addrs()
	}
	return p
}

// sizeOf is what the files of a folder take.
func sizeOf(t *testing.T, folder string) (bytes int64) {
	t.Helper()
	err := filepath.WalkDir(folder, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err == nil {
			bytes += info.Size()
		}
		return err
	})
	if err != nil && !errors.Is(err, fs.ErrNotExist) { // a run may go meanwhile
		t.Error(err)
	}
	return bytes
}

// BenchmarkSmallRuns measures what a run of a few jobs takes from its submission to its answer, and
// the same of one that is to be kept: its answer goes to another peer, and both write it down.
func BenchmarkSmallRuns(b *testing.B) {
	for _, c := range []struct {
		name    string
		options []satin.Option
	}{{"waited for", nil}, {"kept", []satin.Option{satin.Keep(time.Hour)}}} {
		b.Run(c.name, func(b *testing.B) {
			tk, err := ticket.New("sums")
			if err != nil {
				b.Fatal(err)
			}
			for _, name := range []string{"a1", "a2"} {
				openSum(b, &tk, name, b.TempDir())
			}
			client := openSum(b, &tk, "client", "")
			for n := 0; b.Loop(); n++ {
				sub, err := satin.Submit[Sum, int](b.Context(), client, Sum{n, n + 200}, c.options...)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := sub.Wait(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// TestManySmallRuns that are all to be kept for an hour: each has its answer, and they leave no
// more on the disks than their stores may take. Of the oldest no answer is kept any more.
func TestManySmallRuns(t *testing.T) {
	runs := smallRunsFew
	if text := os.Getenv(smallRunsVariable); text != "" {
		var err error
		if runs, err = strconv.Atoi(text); err != nil {
			t.Fatal(err)
		}
	}
	tk, err := ticket.New("sums")
	if err != nil {
		t.Fatal(err)
	}
	folders := []string{t.TempDir(), t.TempDir()}
	for n, name := range []string{"a1", "a2"} {
		openSum(t, &tk, name, folders[n])
	}
	client := openSum(t, &tk, "client", "")
	began, largest := time.Now(), int64(0)
	for n := range runs {
		sub, err := satin.Submit[Sum, int](t.Context(), client, Sum{n, n + 200}, satin.Keep(time.Hour))
		if err != nil {
			t.Fatal(err)
		}
		if sum, err := sub.Wait(); err != nil || sum != 200*n+19900 {
			t.Fatalf("run %d: %d, %v", n, sum, err)
		}
		for _, folder := range folders {
			largest = max(largest, sizeOf(t, filepath.Join(folder, "store")))
		}
	}
	if runs != smallRunsFew {
		fmt.Printf("small runs: %d in %v, a store had %d bytes at most, and may have %d\n", runs, time.Since(began).Round(time.Second), largest, smallStore)
	}
	if largest < smallStore/16 || largest > smallStore {
		t.Errorf("a store had %d bytes at most, and may have %d", largest, smallStore)
	}
	if kept := len(client.Runs()); kept == 0 || kept > 64 {
		t.Errorf("%d answers are kept", kept)
	}
}
