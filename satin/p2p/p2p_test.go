package p2p

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/await"
)

// patience bounds every wait of these tests. It is far above what anything
// takes, so that a busy machine fails none; no test asserts a time.
const patience = 20 * time.Second

var secret = bytes.Repeat([]byte{7}, SecretSize)

// witness records what a host was told.
type witness struct {
	mu   sync.Mutex
	cond *sync.Cond
	// "up ID", "down ID how", "frame ID text", "bulk ID header len", "message topic ID text"
	log    []string
	up     map[string]bool   // by id
	bodies map[string][]byte // bulk bodies by header
	faults []string          // broken promises of Events
}

func newWitness() *witness {
	w := &witness{up: map[string]bool{}, bodies: map[string][]byte{}}
	w.cond = sync.NewCond(&w.mu)
	return w
}

func (w *witness) note(format string, args ...any) {
	w.log = append(w.log, fmt.Sprintf(format, args...))
	w.cond.Broadcast()
}

func (w *witness) events() Events {
	return Events{
		PeerUp: func(u Up) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if w.up[u.ID] {
				w.faults = append(w.faults, "up twice: "+u.ID)
			}
			w.up[u.ID] = true
			w.note("up %s %s", u.ID, u.Hello)
		},
		PeerDown: func(id string, how SessionEnd) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if !w.up[id] {
				w.faults = append(w.faults, "down without up: "+id)
			}
			delete(w.up, id)
			w.note("down %s %s", id, how)
		},
		Frame: func(id string, frame []byte) {
			w.mu.Lock()
			defer w.mu.Unlock()
			if !w.up[id] {
				w.faults = append(w.faults, "frame without up: "+id)
			}
			w.note("frame %s %s", id, frame[:min(len(frame), 64)])
		},
		Bulk: func(id string, header, body []byte) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.bodies[string(header)] = body
			w.note("bulk %s %s %d", id, header, len(body))
		},
		Message: func(topic, from string, data []byte) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.note("message %s %s %s", topic, from, data[:min(len(data), 64)])
		},
		Refused: func(r *DeniedError) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.note("refused %d", r.Why)
		},
	}
}

// count says how many lines begin with a prefix.
func (w *witness) count(prefix string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.tally(prefix)
}

func (w *witness) tally(prefix string) (n int) {
	for _, l := range w.log {
		if strings.HasPrefix(l, prefix) {
			n++
		}
	}
	return n
}

// await waits until n lines begin with a prefix.
func (w *witness) await(t testing.TB, prefix string, n int) {
	t.Helper()
	timer := time.AfterFunc(patience, w.cond.Broadcast)
	defer timer.Stop()
	start := time.Now()
	w.mu.Lock()
	defer w.mu.Unlock()
	for w.tally(prefix) < n {
		if time.Since(start) >= patience {
			t.Fatalf("%d of %d times %q in:\n%s", w.tally(prefix), n, prefix, strings.Join(w.log[max(0, len(w.log)-20):], "\n"))
		}
		w.cond.Wait()
	}
}

// largest is how long a test waits for a value of BulkMax on a machine that is slow and busy.
const largest = 5 * time.Minute

// peerHost is a host with its witness.
type peerHost struct {
	*Host
	saw *witness
}

func loopback() Config {
	return Config{Grid: "lab", Secret: secret, Wire: 1, Listen: []string{"/ip4/127.0.0.1/tcp/0"}}
}

// start opens a host, which the test closes, with changes to the usual Config.
func start(t testing.TB, changes ...func(*Config)) peerHost {
	t.Helper()
	w := newWitness()
	c := loopback()
	c.Events = w.events()
	for _, change := range changes {
		change(&c)
	}
	h, err := Open(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		h.Close()
		w.mu.Lock()
		defer w.mu.Unlock()
		if len(w.faults) > 0 || len(w.up) > 0 {
			t.Errorf("events out of order: %v, still up after Close: %v", w.faults, w.up)
		}
	})
	return peerHost{h, w}
}

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	t.Cleanup(cancel)
	return ctx
}

// join makes a dial b and waits until both know.
func join(t testing.TB, a, b peerHost) {
	t.Helper()
	if _, err := a.Dial(soon(t), b.Addrs()...); err != nil {
		t.Fatal(err)
	}
	b.saw.await(t, "up "+a.ID(), 1)
}

// TestNobodyIsLetInWhileClosing: a host whose goodbyes take a while lets nobody in again to whom it
// has said one. That session would end without any, and look like a death.
func TestNobodyIsLetInWhileClosing(t *testing.T) {
	a, b := start(t), start(t)
	release := make(chan struct{})
	stuck := start(t, func(c *Config) {
		frame := c.Events.Frame
		c.Events.Frame = func(id string, data []byte) {
			<-release
			frame(id, data)
		}
	})
	join(t, a, b)
	join(t, stuck, b)
	if err := b.Send(stuck.ID(), []byte("x")); err != nil {
		t.Fatal(err)
	}
	at := b.Addrs()
	closed := make(chan error)
	go func() { closed <- b.Close() }()
	a.saw.await(t, "down "+b.ID()+" closed", 1)
	if _, err := a.Dial(soon(t), at...); err == nil {
		t.Error("a host that closes has let one in")
	}
	if err := <-closed; err != nil {
		t.Error(err)
	}
	close(release)
	stuck.saw.await(t, "down "+b.ID(), 1)
}

func TestHelloThenFramesThenGoodbye(t *testing.T) {
	await.NoLeaks(t)
	a := start(t, func(c *Config) { c.Hello = says("hello from a") })
	b := start(t, func(c *Config) { c.Hello = says("hello from b") })
	join(t, a, b)
	a.saw.await(t, "up "+b.ID()+" hello from b", 1)
	b.saw.await(t, "up "+a.ID()+" hello from a", 1)
	if got := a.Peers(); !slices.Equal(got, []string{b.ID()}) {
		t.Fatalf("Peers = %v", got)
	}
	const n = 300
	for i := range n {
		await.Until(t, "room in the queue", func() bool { return a.Send(b.ID(), fmt.Appendf(nil, "%05d", i)) == nil })
	}
	b.saw.await(t, "frame "+a.ID(), n)
	var got []string
	b.saw.mu.Lock()
	for _, l := range b.saw.log {
		if strings.HasPrefix(l, "frame") {
			got = append(got, l)
		}
	}
	b.saw.mu.Unlock()
	if !slices.IsSorted(got) {
		t.Fatal("frames out of order")
	}
	a.Close()
	b.saw.await(t, "down "+a.ID()+" closed", 1)
	if a.saw.count("down "+b.ID()+" closed") != 1 {
		t.Fatal("the one who closed was not told")
	}
	if err := b.Send(a.ID(), nil); err != ErrNotUp {
		t.Fatalf("Send after the end: %v", err)
	}
	if _, err := a.Dial(soon(t), b.Addrs()...); err != ErrClosed {
		t.Fatalf("Dial on a closed host: %v", err)
	}
}
