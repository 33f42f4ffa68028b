package bench

import (
	"context"
	"fmt"
	"os"
	"sync/atomic"
	"time"

	"satingrid/apps/uts"
	"satingrid/apps/uts/tree"
	"satingrid/satin"
	"satingrid/satin/program/local"
	"satingrid/satin/ticket"
)

// WireCosts is what the way between peers costs, each figure beside the one that it is
// to be no worse than.
type WireCosts struct {
	Trip Trip `json:"round_trip"` // idle: half of all are faster
	// while values of 1 MiB flow: 99 of 100 are faster
	Busy Trip `json:"round_trip_busy"`
	// seconds that a thief waits while its victim computes: 99 of 100 are faster
	Steal     Figure `json:"steal_busy"`
	First     Figure `json:"first_stolen"`  // seconds from Open to when a stolen job runs
	Processes Figure `json:"two_processes"` // times of two workers in one process
	// of a core; nil where the system does not tell
	IdleCPU *Figure `json:"idle_cpu_percent"`
	IdleRSS *Figure `json:"idle_memory_bytes"` // likewise
}

// Trip is a request's round trip between two peers on this machine, and over plain TCP.
type Trip struct {
	Satin float64 `json:"satin_seconds"`
	TCP   float64 `json:"tcp_seconds"`
	Figure
}

// Figure is a value and the most that it may be.
type Figure struct {
	Value float64 `json:"value"`
	Most  float64 `json:"to_reach"`
}

// Reached tells whether the value is what it may be.
func (f Figure) Reached() bool { return f.Value <= f.Most }

// Processes say how the bench starts peers in processes of their own.
type Processes struct {
	App     satin.App // has the tasks of package uts
	Command []string  // a program that calls local.Serve with this App
}

// What two processes count, beside two workers of one.
const (
	processesTree = "T1"
	ProcessesRun  = "uts " + processesTree
)

const (
	tripsMeasured  = 3000
	openedMeasured = 5
	pairsMeasured  = 7
	idleSettle     = time.Second // after the last run
	idleMeasured   = 4 * time.Second
)

// measureWire measures the wire. It takes some ten seconds.
func measureWire(ctx context.Context, p Processes) (*WireCosts, error) {
	m, err := measureTrips(ctx, tripsMeasured)
	if err != nil {
		return nil, err
	}
	w := &WireCosts{Trip: trip(m.idle.frames.p50, m.idle.tcp.p50, 2.5), Busy: trip(m.busy.frames.p99, m.busy.tcp.p99, 1.5)}
	var opened []float64
	for range openedMeasured {
		d, err := firstStolen(ctx)
		if err != nil {
			return nil, err
		}
		opened = append(opened, d.Seconds())
	}
	w.First = Figure{median(opened), 0.1}
	steal, err := stealWhileBusy(ctx)
	if err != nil {
		return nil, err
	}
	w.Steal = Figure{steal.Seconds(), 0.001}
	return w, measureProcesses(ctx, p, w)
}

func trip(satin, tcp time.Duration, most float64) Trip {
	return Trip{satin.Seconds(), tcp.Seconds(), Figure{satin.Seconds() / tcp.Seconds(), most}}
}

// probes run now, in all peers of this process.
var probes atomic.Int32

// overlapped is closed when two probes run at once: the founder has one worker, so
// one of them was stolen.
var overlapped atomic.Pointer[chan struct{}]

// briefJob is a job that takes a moment and computes nothing.
type briefJob struct{ Number int }

func (p briefJob) Run(*satin.Scope) (int, error) {
	if probes.Add(1) == 2 {
		if c := overlapped.Swap(nil); c != nil {
			close(*c)
		}
	}
	time.Sleep(time.Millisecond)
	probes.Add(-1)
	return p.Number, nil
}

// probing is a root with many probes.
type probing struct{ Probes int }

func (p probing) Run(s *satin.Scope) (int, error) {
	return 0, satin.Each(s, p.Probes, func(i int) briefJob { return briefJob{i} }, func(int, int) {})
}

// firstStolen is how long it takes from Open to when the new peer executes a job that it stole.
func firstStolen(ctx context.Context) (time.Duration, error) {
	t, err := ticket.New("bench")
	if err != nil {
		return 0, err
	}
	c := satin.Config{
		App:     satin.App{Name: "probe", Tasks: []satin.TaskType{satin.Type[probing](), satin.Type[briefJob]()}},
		Workers: 1, Ticket: t, Listen: []string{"/ip4/127.0.0.1/tcp/0"},
	}
	founder, err := satin.Open(ctx, c)
	if err != nil {
		return 0, err
	}
	defer founder.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	met := make(chan struct{})
	overlapped.Store(&met)
	run, err := satin.Submit(ctx, founder, probing{100_000})
	if err != nil {
		return 0, err
	}
	for probes.Load() == 0 {
		time.Sleep(time.Millisecond)
	}
	c.Ticket.Addrs = founder.Addrs()
	start := time.Now()
	thief, err := satin.Open(ctx, c)
	if err != nil {
		return 0, err
	}
	defer thief.Close()
	select {
	case <-met:
		return time.Since(start), nil
	case <-run.Done():
		return 0, fmt.Errorf("bench: the run ended before a job was stolen")
	case <-ctx.Done():
		return 0, context.Cause(ctx)
	}
}

// measureProcesses compares two processes with two workers of one, and looks at the
// processes when they idle.
func measureProcesses(ctx context.Context, p Processes, w *WireCosts) error {
	named, _ := tree.ByName(processesTree)
	task, err := uts.New(named.Params)
	if err != nil {
		return err
	}
	alone, err := satin.Open(ctx, satin.Config{App: p.App, Alone: true, Workers: 2})
	if err != nil {
		return err
	}
	defer alone.Close()
	grid, err := local.Open(ctx, local.Options{
		App: p.App, Command: p.Command, Sites: []local.Site{{Name: "a", Peers: 2, Workers: 1}}, Stderr: os.Stderr,
	})
	if err != nil {
		return err
	}
	defer grid.Close()
	var ratios []float64
	for range pairsMeasured {
		var failure error
		compute := func(peer *satin.Peer) float64 {
			return timed(func() {
				if _, err := satin.Run(ctx, peer, task); err != nil {
					failure = err
				}
			})
		}
		one := compute(alone)
		if ratios = append(ratios, compute(grid.Client)/one); failure != nil {
			return failure
		}
	}
	w.Processes = Figure{median(ratios), 1.05}
	w.idle(grid.Alive())
	return nil
}

// idle looks at what a peer costs that has nothing to do.
func (w *WireCosts) idle(peers []local.Peer) {
	time.Sleep(idleSettle)
	var cpu, rss []float64
	start := make([]time.Duration, len(peers))
	for i, p := range peers {
		start[i], _, _ = cost(p.PID)
	}
	time.Sleep(idleMeasured)
	for i, p := range peers {
		end, memory, ok := cost(p.PID)
		if !ok {
			return
		}
		cpu = append(cpu, 100*(end-start[i]).Seconds()/idleMeasured.Seconds())
		rss = append(rss, float64(memory))
	}
	w.IdleCPU, w.IdleRSS = &Figure{median(cpu), 1}, &Figure{median(rss), 45e6}
}
