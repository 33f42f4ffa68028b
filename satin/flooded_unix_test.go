//go:build unix

package satin_test

import (
	"bufio"
	"log/slog"
	"math/rand/v2"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"testing"
	"time"

	"satingrid/apps/nqueens"
	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/ticket"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// floods are what a hostile member sends without end; junk is no message.
var floods = []struct {
	name string
	make func(*rand.Rand) membership.Body
}{
	{"junk", nil},
	{"Pull", func(*rand.Rand) membership.Body { return peer.Pull{} }},
	{"Who", func(*rand.Rand) membership.Body { return membership.Who{} }},
	{"Digest", func(rng *rand.Rand) membership.Body { return peer.Digest{Members: rng.Uint64(), Runs: rng.Uint64()} }},
	{"Fetch", func(*rand.Rand) membership.Body { return peer.Fetch{} }},
	{"Versions", func(*rand.Rand) membership.Body { return orphan.Versions{} }},
	{"Ended", func(rng *rand.Rand) membership.Body {
		var e peer.Ended
		for range 100 {
			e.Submissions = append(e.Submissions, peer.Tombstone{Submission: steal.Submission{Submitter: "nobody", Nonce: steal.Nonce(rng.Uint64())}})
		}
		return e
	}},
	{"Ask", func(rng *rand.Rand) membership.Body { return steal.Ask{Number: steal.AskNo(rng.Uint64())} }},
	{"Heartbeat", func(*rand.Rand) membership.Body { return membership.Heartbeat{} }},
}

// BenchmarkFlooded has two honest peers compute while a third, a process that takes a tenth of a
// core, floods both. Honest peers are to keep 70 % of their speed.
func BenchmarkFlooded(b *testing.B) {
	for _, f := range floods {
		b.Run(f.name, func(b *testing.B) {
			honest, word := floodedGrid(b)
			compute := func() time.Duration {
				began := time.Now()
				if n, err := satin.Run(b.Context(), honest, nqueens.Queens{N: 15}); err != nil || n != nqueens.Known[15] {
					b.Fatal(n, err)
				}
				return time.Since(began)
			}
			var alone, flooded time.Duration
			for b.Loop() {
				alone += compute()
				stop := flood(b, word+" "+f.name)
				flooded += compute()
				stop()
			}
			b.ReportMetric(alone.Seconds()/flooded.Seconds(), "speed/undisturbed")
		})
	}
}

// floodedGrid is a grid of two peers of one worker; one of them is returned, and a
// ticket that leads to both.
func floodedGrid(b *testing.B) (one *satin.Peer, word string) {
	tk, err := ticket.New("flooded")
	if err != nil {
		b.Fatal(err)
	}
	for range 2 {
		one, err = satin.Open(b.Context(), satin.Config{App: floodedApp, Workers: 1, Ticket: tk, Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(slog.DiscardHandler)})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(func() { one.Close() })
		tk.Addrs = append(tk.Addrs, one.Addrs()[0])
	}
	if word, err = tk.Encode(); err != nil {
		b.Fatal(err)
	}
	return one, word
}

// flood starts a flooder, and returns when it floods.
func flood(b *testing.B, order string) (stop func()) {
	c := exec.Command(os.Args[0], "-test.run=^TestFlooder$", "-test.v")
	c.Env = append(os.Environ(), floodOrder+"="+order)
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if strings.Contains(lines.Text(), floodsNow) {
			return func() {
				c.Process.Kill()
				c.Wait()
			}
		}
	}
	b.Fatal("the flooder has ended: ", c.Wait())
	return nil
}

const (
	floodOrder = "SATIN_FLOOD" // a ticket, and what to flood with
	floodsNow  = "the flood begins"
)

// TestFlooder is the process of the hostile member.
func TestFlooder(t *testing.T) {
	word, kind, _ := strings.Cut(os.Getenv(floodOrder), " ")
	if word == "" {
		t.Skip(floodOrder + " is not set: it is a process of BenchmarkFlooded")
	}
	runtime.GOMAXPROCS(1)
	tk, err := ticket.Parse(word)
	if err != nil {
		t.Fatal(err)
	}
	host := outsider(t, tk, p2p.Events{})
	life := membership.Incarnation{Join: 99, Random: 7}
	joins := encoded(t, life, membership.Hello{Member: membership.Member{ID: membership.PeerID(host.ID()), Incarnation: life, Site: "evil", Name: "evil", Addrs: host.Addrs()}})
	frames := floodFrames(t, life, kind)
	for n := 0; ; n++ {
		for _, addr := range tk.Addrs {
			id, err := host.Dial(t.Context(), addr)
			if err != nil {
				continue
			}
			host.Send(id, joins)
			for k := 0; k < 100 && host.Send(id, frames[(100*n+k)%len(frames)]) == nil; k++ {
			}
		}
		if n == 10 {
			os.Stdout.WriteString("\n" + floodsNow + "\n")
		}
		restTo(t, 10)
	}
}

func encoded(t *testing.T, from membership.Incarnation, b membership.Body) []byte {
	data, err := wire.Encode(peer.Message{From: from, Body: b})
	if err != nil {
		t.Fatal(err)
	}
	return data
}

func floodFrames(t *testing.T, from membership.Incarnation, kind string) (frames [][]byte) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		for _, f := range floods {
			switch {
			case f.name != kind:
			case f.make == nil:
				frames = append(frames, []byte("no message"))
			default:
				frames = append(frames, encoded(t, from, f.make(rng)))
			}
		}
	}
	return frames
}

var flooderBegan = time.Now()

// restTo sleeps until this process has had no more than one part in so many of a core.
func restTo(t *testing.T, parts time.Duration) {
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		t.Fatal(err)
	}
	cpu := time.Duration(used.Utime.Nano() + used.Stime.Nano())
	time.Sleep(parts*cpu - time.Since(flooderBegan))
}
