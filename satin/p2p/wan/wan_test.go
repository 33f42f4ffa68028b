package wan

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"net"
	"os"
	"testing"
	"time"

	"satingrid/satin/await"
)

func noise(n int) []byte {
	r := rand.NewChaCha8([32]byte{byte(n)})
	b := make([]byte, n)
	r.Read(b)
	return b
}

// pipe is a TCP connection with an Emulator at each end; a may be nil.
func pipe(t *testing.T, a, b *Emulator) (dialled, accepted net.Conn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	type result struct {
		net.Conn
		error
	}
	done := make(chan result)
	go func() {
		c, err := l.Accept()
		done <- result{c, err}
	}()
	dialled, err = net.Dial("tcp", l.Addr().String())
	r := <-done
	if err != nil || r.error != nil {
		t.Fatal(err, r.error)
	}
	if a != nil {
		dialled = a.Around(dialled, true)
	}
	accepted = b.Around(r.Conn, false)
	t.Cleanup(func() {
		dialled.Close()
		accepted.Close()
		if a != nil {
			a.Close()
		}
		b.Close()
	})
	return dialled, accepted
}

// met makes the two ends know each other's site.
func met(t *testing.T, dialled, accepted net.Conn) {
	t.Helper()
	go dialled.Write([]byte("!"))
	if _, err := io.ReadFull(accepted, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
}

// A delay is a lower bound, so it can be tested on a busy machine; that it
// pipelines is tested by sending many more writes than would fit one after
// another in the time allowed for the test.
func TestDelayPipelinesAndKeepsOrder(t *testing.T) {
	await.NoLeaks(t)
	wa, wb := New("a"), New("b")
	const delay = 30 * time.Millisecond
	wa.Set("", Link{Delay: delay})
	a, b := pipe(t, wa, wb)
	met(t, a, b)
	const n = 2000 // a minute if each waited for the one before
	sent := noise(n * 100)
	start := time.Now()
	go func() {
		for i := range n {
			a.Write(sent[i*100 : i*100+100])
		}
	}()
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(b, got); err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	if !bytes.Equal(got, sent) {
		t.Fatal("bytes changed or changed places")
	}
	if took < delay {
		t.Fatalf("arrived after %v", took)
	}
	if took > n*delay/2 {
		t.Fatalf("%d writes took %v: they waited for one another", n, took)
	}
}

func TestRate(t *testing.T) {
	wa, wb := New("a"), New("b")
	wa.Set("b", Link{Rate: 1 << 20})
	a, b := pipe(t, wa, wb)
	met(t, a, b)
	start := time.Now()
	go a.Write(noise(100 << 10))
	if _, err := io.ReadFull(b, make([]byte, 100<<10)); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(start); took < 95*time.Millisecond {
		t.Fatalf("100 KiB at 1 MiB/s took %v", took)
	}
	wa.Set("b", Link{})
	go a.Write(noise(1 << 20))
	if _, err := io.ReadFull(b, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
}

// silent says that nothing can be read for a moment.
func silent(t *testing.T, c net.Conn) {
	t.Helper()
	c.SetReadDeadline(time.Now().Add(30 * time.Millisecond))
	if n, err := c.Read(make([]byte, 1)); !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatalf("read %d bytes, %v through a cut", n, err)
	}
	c.SetReadDeadline(time.Time{})
}

func TestCutsOneWayOrBothAndHeals(t *testing.T) {
	for _, x := range []struct {
		name string
		cut  func(wa, wb *Emulator)
		heal func(wa, wb *Emulator)
	}{
		{"at the sender", func(a, b *Emulator) { a.Cut("b", Out) }, func(a, b *Emulator) { a.Heal("b") }},
		{"at the receiver", func(a, b *Emulator) { b.Cut("a", In) }, func(a, b *Emulator) { b.Heal("") }},
		{
			"at both, all sites", func(a, b *Emulator) { a.Cut("", Out); b.Cut("", In) },
			func(a, b *Emulator) { a.Heal(""); b.Heal("") },
		},
	} {
		t.Run(x.name, func(t *testing.T) {
			await.NoLeaks(t)
			wa, wb := New("a"), New("b")
			a, b := pipe(t, wa, wb)
			met(t, a, b)
			x.cut(wa, wb)
			a.Write([]byte("abc"))
			silent(t, b)
			b.Write([]byte("xyz")) // the other way is open
			if got := make([]byte, 3); true {
				if _, err := io.ReadFull(a, got); err != nil || string(got) != "xyz" {
					t.Fatalf("the open way: %q, %v", got, err)
				}
			}
			a.Write([]byte("def"))
			x.heal(wa, wb)
			got := make([]byte, 6)
			if _, err := io.ReadFull(b, got); err != nil || string(got) != "abcdef" {
				t.Fatalf("after the heal: %q, %v", got, err)
			}
		})
	}
}

func TestHidesADeathBehindACut(t *testing.T) {
	for _, way := range []string{"closed behind a cut", "killed behind a cut"} {
		t.Run(way, func(t *testing.T) {
			wa, wb := New("a"), New("b")
			a, b := pipe(t, wa, wb)
			met(t, a, b)
			wa.Cut("b", Both)
			wb.Cut("a", Both)
			a.Write([]byte("last words"))
			if way[0] == 'c' {
				a.Close()
			} else {
				a.(*conn).Conn.Close()
			}
			silent(t, b)
			wa.Heal("")
			wb.Heal("")
			b.SetReadDeadline(time.Now().Add(time.Minute))
			got, err := io.ReadAll(b)
			if errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal("the end was never seen")
			}
			if way[0] == 'c' && string(got) != "last words" {
				t.Fatalf("read %q, %v", got, err)
			}
		})
	}
}

func TestLeavesNearOnesAlone(t *testing.T) {
	far := Link{Delay: time.Hour}
	for _, sites := range [][2]string{{"a", "a"}, {"", "b"}, {"a", ""}} {
		wa, wb := New(sites[0]), New(sites[1])
		wa.Set("", far)
		wb.Set("", far)
		a, b := pipe(t, wa, wb)
		met(t, a, b)
		wa.Cut("", Both)
		wb.Cut("", Both)
		met(t, a, b)
	}
	w := New("a")
	w.Set("", far)
	a, b := pipe(t, nil, w) // a host without an Emulator
	go a.Write([]byte("\x13/multistream/1.0.0\n"))
	if got := make([]byte, 20); true {
		if _, err := io.ReadFull(b, got); err != nil || got[0] != 0x13 {
			t.Fatalf("%q, %v", got, err)
		}
	}
}

// Against a dumb twin, a byte slice: whatever is written, in pieces of any
// size, while delays, rates and cuts change, is read.
func TestAgainstATwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	wa, wb := New("a"), New("b")
	a, b := pipe(t, wa, wb)
	met(t, a, b)
	const rounds = 100
	sent := noise(2 << 20)
	changed := make(chan struct{}) // each change has bytes of its own to meet
	go func() {
		for i := range rounds {
			<-changed
			for rest := sent[len(sent)*i/rounds : len(sent)*(i+1)/rounds]; len(rest) > 0; {
				n := min(len(rest), 1+r.IntN(20_000))
				if _, err := a.Write(rest[:n]); err != nil {
					return
				}
				rest = rest[n:]
			}
		}
	}()
	changes := make(chan struct{})
	go func() {
		defer close(changes)
		r := rand.New(rand.NewPCG(3, 4))
		for range rounds {
			switch r.IntN(4) {
			case 0:
				wa.Set("b", Link{Delay: time.Duration(r.IntN(3)) * time.Millisecond})
			case 1:
				wa.Set("b", Link{Rate: int64(10+r.IntN(100)) << 20})
			case 2:
				wa.Cut("b", Way(1+r.IntN(3)))
			case 3:
				wb.Cut("a", Way(1+r.IntN(3)))
			}
			select {
			case changed <- struct{}{}:
			case <-t.Context().Done():
				return
			}
			time.Sleep(time.Millisecond) // bytes come while it is so
			wa.Heal("")
			wb.Heal("")
		}
	}()
	got := make([]byte, len(sent))
	if _, err := io.ReadFull(b, got); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, sent) {
		t.Fatal("the stream is not what was written")
	}
	<-changes
}

// speaker says what it says, once, and hears nothing.
type speaker struct {
	net.Conn
	io.Reader
}

func (s speaker) Read(b []byte) (int, error) { return s.Reader.Read(b) }

func FuzzSite(f *testing.F) {
	f.Add([]byte(siteLine + "delft\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		c := New("a").Around(speaker{Reader: bytes.NewReader(b)}, true).(*conn)
		if site, err := c.readSite(); err == nil && !bytes.HasPrefix(b, []byte(siteLine+site+"\n")) {
			t.Fatalf("%x is site %q", b, site)
		}
	})
}
