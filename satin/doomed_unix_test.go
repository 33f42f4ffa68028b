//go:build unix

package satin_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/ticket"
	"satingrid/steal"
)

// doomed is a job that ends at a certain age as its fate is, on whatever peer it is.
type doomed struct {
	// panic, error, exit: of its process; last: until its process is told to let
	// go; else it returns 42
	Fate string
	Age  time.Duration
}

var errDoomed = errors.New("it was doomed")

func (d doomed) Run(s *satin.Scope) (int, error) {
	tellTest(doomedBegins)
	began := time.Now()
	if !satin.ComputesUntil(s, func() bool { return time.Since(began) >= d.Age && (d.Fate != "last" || letGo.Load()) }) {
		return 0, satin.ErrWithdrawn
	}
	switch d.Fate {
	case "panic":
		panic(errDoomed)
	case "error":
		return 0, errDoomed
	case "exit":
		os.Exit(3)
	}
	return 42, nil
}

// witness is a root that keeps its worker until its process is told to let go, so that others do
// the child, again and again.
type witness struct{ Child doomed }

func (w witness) Run(s *satin.Scope) (int, error) {
	x := satin.Spawn(s, w.Child)
	satin.ComputesUntil(s, letGo.Load)
	return x.Wait(s)
}

var letGo atomic.Bool

// bulky is a root of many bytes, whose children let all peers have it.
type bulky struct{ Data []byte }

func (b bulky) Run(s *satin.Scope) (int, error) {
	x := satin.Spawn(s, sample{1})
	y := satin.Spawn(s, sample{len(b.Data) - 1})
	n, err := x.Wait(s)
	if err != nil {
		return 0, err
	}
	m, err := y.Wait(s)
	return n + m, err
}

// sample looks at one byte of it.
type sample struct{ At int }

func (x sample) Run(s *satin.Scope) (int, error) {
	satin.Computes(50 * time.Millisecond) // so that others steal it
	return int(satin.Root[bulky](s).Data[x.At]), nil
}

var doomedApp = satin.App{Name: "doomed", Tasks: []satin.TaskType{satin.Type[doomed](), satin.Type[witness](), satin.Type[bulky](), satin.Type[sample](), satin.Type[fibTask]()}}

const (
	doomedOrder  = "SATIN_DOOMED" // a ticket, a site, a name, and perhaps a state folder
	doomedIsUp   = "is up at "
	doomedBegins = "begins the job"
	doomedSays   = "says: " // what it was asked

	// the site of one that is a client
	doomedClient = "client"
)

func tellTest(line string) { os.Stdout.WriteString("\n" + line + "\n") }

// TestDoomedPeer is a peer in a process of its own, or a client. A line on its standard input asks
// it for something, or makes its jobs let go; the end of it ends the peer.
func TestDoomedPeer(t *testing.T) {
	order := strings.Fields(os.Getenv(doomedOrder))
	if len(order) < 3 {
		t.Skip(doomedOrder + " is not set: it is a process of TestJobFailsOnce and others")
	}
	tk, err := ticket.Parse(order[0])
	if err != nil {
		t.Fatal(err)
	}
	state := append(order, "")[3]
	p, err := satin.Open(t.Context(), satin.Config{
		App: doomedApp, Client: order[1] == doomedClient, Workers: 1, Ticket: tk, State: state, Site: order[1], Name: order[2], Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	tellTest(doomedIsUp + p.Addrs()[0])
	for lines := bufio.NewScanner(os.Stdin); lines.Scan(); {
		switch word, arg, _ := strings.Cut(lines.Text(), " "); word {
		case doomedRuns:
			tellTest(doomedSays + smallRuns(p, arg))
		case doomedHolds:
			tellTest(doomedSays + held(p))
		default:
			letGo.Store(true)
		}
	}
}

// doomedGrid is a client in this process, a master that keeps its worker, and
// others that come and go.
type doomedGrid struct {
	t      *testing.T
	ticket ticket.Ticket
	client *satin.Peer
	master *doomedPeer
	count  int
	begins chan *doomedPeer // the job
	gone   chan *doomedPeer
}

type doomedPeer struct {
	*exec.Cmd
	name string
	in   io.WriteCloser
	says chan string
}

// nobodysGrid is one without peers.
func nobodysGrid(t *testing.T) *doomedGrid {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: it starts processes")
	}
	t.Parallel()
	tk, err := ticket.New("doomed")
	if err != nil {
		t.Fatal(err)
	}
	return &doomedGrid{t: t, ticket: tk, begins: make(chan *doomedPeer, 64), gone: make(chan *doomedPeer, 64)}
}

func newDoomedGrid(t *testing.T) *doomedGrid {
	g := nobodysGrid(t)
	g.master = g.join("a")
	g.client = g.reach()
	return g
}

// reach opens a client of the grid.
func (g *doomedGrid) reach() *satin.Peer {
	g.t.Helper()
	client, err := satin.Open(g.t.Context(), satin.Config{
		App: doomedApp, Client: true, Ticket: g.ticket, Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		g.t.Fatal(err)
	}
	g.t.Cleanup(func() { client.Close() })
	return client
}

// join starts one more peer, and returns when it is a member.
func (g *doomedGrid) join(site string) *doomedPeer { return g.joinFrom(site, "") }

// joinFrom starts one with a state folder.
func (g *doomedGrid) joinFrom(site, state string) *doomedPeer {
	g.t.Helper()
	word, err := g.ticket.Encode()
	if err != nil {
		g.t.Fatal(err)
	}
	g.count++
	p := &doomedPeer{Cmd: exec.Command(os.Args[0], "-test.run=^TestDoomedPeer$"), name: fmt.Sprint(site, "/", g.count), says: make(chan string, 1)}
	p.Env = append(os.Environ(), fmt.Sprint(doomedOrder, "=", word, " ", site, " ", p.name, " ", state))
	out, err := p.StdoutPipe()
	if err == nil {
		p.in, err = p.StdinPipe()
	}
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		g.t.Fatal(err)
	}
	up := make(chan string, 1)
	var reader sync.WaitGroup
	reader.Go(func() {
		defer close(up)
		for lines := bufio.NewScanner(out); lines.Scan(); {
			if addr, ok := strings.CutPrefix(lines.Text(), doomedIsUp); ok {
				up <- addr
			} else if lines.Text() == doomedBegins {
				g.begins <- p
			} else if text, ok := strings.CutPrefix(lines.Text(), doomedSays); ok {
				p.says <- text
			}
		}
		p.Wait()
		g.gone <- p
	})
	g.t.Cleanup(func() {
		p.Process.Kill()
		reader.Wait()
	})
	addr, ok := <-up
	if !ok {
		g.t.Fatalf("%s does not come up", p.name)
	}
	if len(g.ticket.Addrs) == 0 {
		g.ticket.Addrs = []string{addr}
	}
	return p
}

// thief waits until a peer begins the job, other than the master.
func (g *doomedGrid) thief() *doomedPeer {
	g.t.Helper()
	select {
	case p := <-g.begins:
		if p == g.master {
			g.t.Fatal("the master does the job itself")
		}
		return p
	case <-time.After(await.Patience):
		g.t.Fatal("nobody does the job")
	}
	return nil
}

func (g *doomedGrid) submit(child doomed) *satin.Submission[int] {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Patience)
	g.t.Cleanup(cancel)
	sub, err := satin.Submit(ctx, g.client, witness{child})
	if err != nil {
		g.t.Fatal(err)
	}
	return sub
}

// letGo lets the master do the child itself, if it is still to be done.
func (g *doomedGrid) letGo() { g.master.letGo(g.t) }

func (p *doomedPeer) letGo(t *testing.T) {
	t.Helper()
	if _, err := io.WriteString(p.in, "let go\n"); err != nil {
		t.Fatal(err)
	}
}

// isOf tells whether an error names the child.
func (g *doomedGrid) isOf(child doomed, task string, key steal.Key) bool {
	g.t.Helper()
	const name = "satin_test.doomed"
	want, err := satin.KeyOf(g.client, "satin_test.witness", witness{child}, name, child)
	if err != nil {
		g.t.Fatal(err)
	}
	return task == name && key == want
}

// goesOn checks that the grid still computes, and that nobody began the job once more.
func (g *doomedGrid) goesOn() {
	g.t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), await.Patience)
	defer cancel()
	if n, err := satin.Run(ctx, g.client, fibTask{20}); err != nil || n != 6765 {
		g.t.Errorf("the next run says %d, %v", n, err)
	}
	select {
	case p := <-g.begins:
		g.t.Errorf("%s has begun the job once more", p.name)
	default:
	}
}

// A job that panics or returns an error does so once: others are there to try again, and do not.
func TestJobFailsOnce(t *testing.T) {
	g := newDoomedGrid(t)
	g.join("b")
	g.join("b")

	child := doomed{"panic", 20 * time.Millisecond}
	sub := g.submit(child)
	by := g.thief()
	_, err := sub.Wait()
	var panicked *satin.PanicError
	if !errors.As(err, &panicked) || !g.isOf(child, panicked.Task, panicked.Key) || panicked.Peer != by.name ||
		!strings.Contains(err.Error(), errDoomed.Error()) || !strings.Contains(string(panicked.Stack), "doomed.Run") {
		t.Errorf("a job panicked on %s: %v", by.name, err)
	}
	g.goesOn()

	child = doomed{"error", 20 * time.Millisecond}
	sub = g.submit(child)
	by = g.thief()
	g.letGo()
	_, err = sub.Wait()
	var failed *satin.JobError
	if !errors.As(err, &failed) || !g.isOf(child, failed.Task, failed.Key) || failed.Peer != by.name || !strings.Contains(err.Error(), errDoomed.Error()) {
		t.Errorf("a job failed on %s: %v", by.name, err)
	}
	g.goesOn()
}

// A job that kills its process, at the same age each time, is found out after five; where the
// machine is so slow that the ages differ, after some more.
func TestJobKillsItsProcess(t *testing.T) {
	const deathsMax = 40
	g := newDoomedGrid(t)
	child := doomed{"exit", time.Second}
	sub := g.submit(child)
	next := time.After(0)
	for deaths := 0; deaths < deathsMax; {
		select {
		case <-next:
			g.join("b")
		case <-g.begins:
		case <-g.gone:
			deaths++
			if next = time.After(0); deaths >= 5 {
				// the grid takes one to make sure
				next = time.After(2 * time.Second)
			}
		case <-sub.Done():
			_, err := sub.Wait()
			var fault *satin.FaultError
			if !errors.As(err, &fault) || !g.isOf(child, fault.Task, fault.Key) || !strings.Contains(err.Error(), "kills its process") || deaths < 5 {
				t.Errorf("a job has killed %d processes: %v", deaths, err)
			}
			for len(g.begins) > 0 {
				<-g.begins
			}
			g.join("b")
			g.goesOn()
			return
		}
	}
	t.Errorf("a job has killed %d processes, and the run goes on", deathsMax)
}

// The same where others wait for the job: it kills one after the other, and sooner than the grid
// makes sure of any death.
func TestJobKillsProcessesInARow(t *testing.T) {
	const deathsMax = 40
	g := newDoomedGrid(t)
	for range 3 {
		g.join("b")
	}
	sub := g.submit(doomed{"exit", 300 * time.Millisecond})
	for deaths := 0; deaths < deathsMax; {
		select {
		case <-g.begins:
		case <-g.gone:
			deaths++
			g.join("b")
		case <-sub.Done():
			deaths += len(g.gone) // while a peer joined
			var fault *satin.FaultError
			if _, err := sub.Wait(); !errors.As(err, &fault) || deaths < 5 {
				t.Errorf("a job has killed %d processes: %v", deaths, err)
			}
			return
		}
	}
	t.Errorf("a job has killed %d processes, and the run goes on", deathsMax)
}

// A long job loses its machine five times, each time at another age: that is not its fault. Another
// peer, that has asked for work in vain all the while, does it again, though the owner's worker is
// busy and has nothing else to give.
func TestJobLosesItsMachines(t *testing.T) {
	g := newDoomedGrid(t)
	ages := []time.Duration{100, 1000, 400, 1600, 250} // ms
	for range len(ages) + 1 {
		g.join("b")
	}
	sub := g.submit(doomed{"last", 0})
	for _, age := range ages {
		p := g.thief()
		time.Sleep(age * time.Millisecond) // so old the job is when its machine goes
		p.Process.Kill()
	}
	g.thief().letGo(t)
	g.letGo()
	if n, err := sub.Wait(); err != nil || n != 42 {
		t.Errorf("five machines of a job were lost: %d, %v", n, err)
	}
	g.goesOn()
}
