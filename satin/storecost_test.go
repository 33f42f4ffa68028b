package satin_test

import (
	"context"
	"log/slog"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/apps/nqueens"
	"satingrid/orphan"
	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/peer"
	"satingrid/satin/ticket"
	"satingrid/satin/wire"
)

// storeQueensVariable is how many queens TestStoreBesideItsCopies has computed. 17 take a minute or
// two on two cores, which should have nothing else to do.
const storeQueensVariable = "SATIN_STORE_QUEENS"

// TestStoreBesideItsCopies prints under -v what two disks have at most of a run, and how many bytes
// that is for each that its parts took on their way to the other peer. It is red above two. And it
// prints how long the disks took to write, as a share of what the workers took: the run is not
// longer by more than that, since nobody waits for a disk.
func TestStoreBesideItsCopies(t *testing.T) {
	queens, err := strconv.Atoi(os.Getenv(storeQueensVariable))
	if err != nil || queens < 0 || queens >= len(nqueens.Known) {
		t.Skip(storeQueensVariable + " is no number of queens that is known: it keeps two cores busy for a minute or two")
	}
	g := newStoringGrid(t)
	var parts, gone, bytes, whole atomic.Int64
	defer satin.WatchCopies(func(c orphan.Copy, n int) {
		parts.Add(int64(len(c.Parts)))
		gone.Add(int64(len(c.Gone)))
		bytes.Add(partsBytes(t, c))
		whole.Add(int64(n))
	})()
	sub, err := satin.Submit[nqueens.Queens, int64](t.Context(), g.client, nqueens.Queens{N: queens})
	if err != nil {
		t.Fatal(err)
	}
	most := g.mostUntil(sub.Done())
	if ways, err := sub.Wait(); err != nil || ways != nqueens.Known[queens] {
		t.Fatalf("%d ways, %v", ways, err)
	}
	stats := sub.Stats()
	var busy float64
	var sent int64
	for _, p := range stats.Peers {
		busy += p.Busy
		sent += p.CopiesSent
	}
	await.Until(t, "the disks have told what they took", func() bool { return g.said.disks() == 2 })
	if bytes.Load() == 0 || parts.Load() != sent {
		t.Fatalf("%d parts are said to be sent, %d were: choose more queens", sent, parts.Load())
	}
	if each := bytes.Load() / parts.Load(); each < 63 {
		t.Errorf("a part takes %d bytes on its way: TestCostOfStore takes it for 63 at least", each)
	}
	ratio := float64(most) / float64(bytes.Load())
	t.Logf("nqueens %d: %.1f s, %.1f s of workers", queens, stats.Seconds, busy)
	t.Logf("%d parts were copied in %d bytes, and %d taken back; with these and their messages %d bytes", parts.Load(), bytes.Load(), gone.Load(), whole.Load())
	t.Logf("two disks had %d bytes at most: %.2f for each byte of the copies", most, ratio)
	batches, seconds := g.said.sum()
	t.Logf("the disks took %.3f s to write %d batches: %.3f %% of what the workers took", seconds, batches, 100*seconds/busy)
	if ratio > 2 {
		t.Errorf("the store takes %.2f times the bytes of its copies, 2 are the most", ratio)
	}
}

// partsBytes is what the parts of a copy take in its message.
func partsBytes(t *testing.T, c orphan.Copy) int64 {
	size := func(c orphan.Copy) int64 {
		b, err := wire.Encode(peer.Message{Body: c})
		if err != nil {
			t.Error(err)
		}
		return int64(len(b))
	}
	c.Gone = nil
	with := size(c)
	c.Parts = nil
	return with - size(c)
}

// storingGrid are two peers of two sites over real connections, which copy as often as peers do by
// default, each to the other, and have disks; and a client.
type storingGrid struct {
	folders []string
	client  *satin.Peer
	said    *diskSays
}

func newStoringGrid(t *testing.T) *storingGrid {
	g := &storingGrid{said: &diskSays{all: map[string]diskTook{}}}
	tk, err := ticket.New("stores")
	if err != nil {
		t.Fatal(err)
	}
	for _, site := range []string{"a", "b", ""} {
		c := satin.Config{
			App: nqueens.App(), Workers: 1, Client: site == "", Ticket: tk, Site: site, Name: site, State: t.TempDir(),
			Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(ofDisk{slog.DiscardHandler, g.said, site}),
		}
		if site == "" {
			c.Workers = 0
		} else {
			g.folders = append(g.folders, c.State)
		}
		p, err := satin.Open(t.Context(), c)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { p.Close() })
		tk.Addrs = append(tk.Addrs, p.Addrs()...)
		g.client = p
	}
	return g
}

// mostUntil looks at the disks until a run is over, and tells what they had at most.
func (g *storingGrid) mostUntil(over <-chan struct{}) (most int64) {
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		select {
		case <-tick.C:
			most = max(most, g.stored())
		case <-over:
			tick.Stop()
			return most
		}
	}
}

// stored are the bytes that the peers have stored of runs.
func (g *storingGrid) stored() (bytes int64) {
	for _, folder := range g.folders {
		names, _ := filepath.Glob(filepath.Join(folder, "store", "*.run"))
		for _, name := range names {
			if i, err := os.Stat(name); err == nil {
				bytes += i.Size()
			}
		}
	}
	return bytes
}

// diskSays is what the disks of peers have said last of what they took.
type diskSays struct {
	mu  sync.Mutex // protects all
	all map[string]diskTook
}

type diskTook struct {
	batches int64
	seconds float64
}

func (d *diskSays) disks() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.all)
}

func (d *diskSays) sum() (batches int64, seconds float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, x := range d.all {
		batches, seconds = batches+x.batches, seconds+x.seconds
	}
	return batches, seconds
}

// ofDisk hears what the disk of one peer says.
type ofDisk struct {
	slog.Handler
	to   *diskSays
	peer string
}

func (o ofDisk) Enabled(context.Context, slog.Level) bool { return true }

func (o ofDisk) Handle(_ context.Context, r slog.Record) error {
	var took diskTook
	r.Attrs(func(a slog.Attr) bool {
		switch a.Key {
		case "batches":
			took.batches = a.Value.Int64()
		case "seconds":
			took.seconds = a.Value.Float64()
		}
		return true
	})
	if r.Level == slog.LevelDebug && took.batches > 0 {
		o.to.mu.Lock()
		o.to.all[o.peer] = took
		o.to.mu.Unlock()
	}
	return nil
}
