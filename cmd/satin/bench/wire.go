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
	"satingrid/satin/program/figure"
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
	Steal figure.Figure `json:"steal_busy"`
	First figure.Figure `json:"first_stolen"` // seconds from Open to when a stolen job runs

	OneProcess   float64       `json:"one_process_seconds"` // with two workers: the median
	TwoProcesses float64       `json:"two_processes_seconds"`
	Processes    figure.Figure `json:"two_processes"` // times of two workers in one process
	// of a core; nil where the system does not tell
	IdleCPU *figure.Figure `json:"idle_cpu_percent"`
	IdleRSS *figure.Figure `json:"idle_memory_bytes"` // likewise
}

// Trip is a request's round trip between two peers on this machine, and over plain TCP: medians of
// the rounds, and of their ratios.
type Trip struct {
	Satin float64 `json:"satin_seconds"`
	TCP   float64 `json:"tcp_seconds"`
	figure.Figure
}

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
	tripsMeasured = 500         // a round
	idleSettle    = time.Second // after the last run
	idleMoments   = figure.RoundsLeast
	idleMeasured  = 2 * time.Second // a moment
)

// The most that each may be.
const (
	tripMost      = 2.5 // times of plain TCP
	busyMost      = 1.5
	stealMost     = 1e-3 // seconds
	firstMost     = 0.1
	processesMost = 1.05 // times of two workers of one process
	idleMost      = 1    // per cent of a core
	memoryMost    = 45e6 // bytes
)

// measureWire measures the wire. Nine rounds take half a minute.
func measureWire(ctx context.Context, p Processes, rounds int) (*WireCosts, error) {
	all, err := measureTrips(ctx, rounds, tripsMeasured)
	if err != nil {
		return nil, err
	}
	w := &WireCosts{
		Trip: trip(all, tripMost, func(m trips) (satin, tcp time.Duration) { return m.idle.frames.p50, m.idle.tcp.p50 }),
		Busy: trip(all, busyMost, func(m trips) (satin, tcp time.Duration) { return m.busy.frames.p99, m.busy.tcp.p99 }),
	}
	var opened, stolen []float64
	for range rounds {
		first, err := firstStolen(ctx)
		if err != nil {
			return nil, err
		}
		steal, err := stealWhileBusy(ctx)
		if err != nil {
			return nil, err
		}
		opened, stolen = append(opened, first.Seconds()), append(stolen, steal.Seconds())
	}
	w.First, w.Steal = figure.Of(opened, figure.AtMost(firstMost)), figure.Of(stolen, figure.AtMost(stealMost))
	return w, measureProcesses(ctx, p, rounds, w)
}

// trip compares one figure of each round with plain TCP's.
func trip(all []trips, most float64, of func(trips) (satin, tcp time.Duration)) Trip {
	var ours, theirs, ratios []float64
	for _, m := range all {
		satin, tcp := of(m)
		ours, theirs = append(ours, satin.Seconds()), append(theirs, tcp.Seconds())
		ratios = append(ratios, satin.Seconds()/tcp.Seconds())
	}
	return Trip{figure.Median(ours), figure.Median(theirs), figure.Of(ratios, figure.AtMost(most))}
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
func measureProcesses(ctx context.Context, p Processes, rounds int, w *WireCosts) error {
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
	var ones, twos, ratios []float64
	for range rounds {
		var failure error
		compute := func(peer *satin.Peer) float64 {
			return timed(func() {
				if _, err := satin.Run(ctx, peer, task); err != nil {
					failure = err
				}
			})
		}
		one, two := compute(alone), compute(grid.Client)
		if failure != nil {
			return failure
		}
		ones, twos, ratios = append(ones, one), append(twos, two), append(ratios, two/one)
	}
	w.OneProcess, w.TwoProcesses = figure.Median(ones), figure.Median(twos)
	w.Processes = figure.Of(ratios, figure.AtMost(processesMost))
	w.idle(ctx, grid.Alive())
	return nil
}

// idle looks at what a peer costs that has nothing to do, the mean of all, in some moments.
func (w *WireCosts) idle(ctx context.Context, peers []local.Peer) {
	time.Sleep(idleSettle)
	var cpu, rss []float64
	for range idleMoments {
		before, _, ok := costOfAll(peers)
		start := time.Now()
		time.Sleep(idleMeasured)
		after, memory, still := costOfAll(peers)
		if !ok || !still || ctx.Err() != nil {
			return
		}
		cpu = append(cpu, 100*(after-before).Seconds()/time.Since(start).Seconds()/float64(len(peers)))
		rss = append(rss, float64(memory)/float64(len(peers)))
	}
	of, memory := figure.Of(cpu, figure.AtMost(idleMost)), figure.Of(rss, figure.AtMost(memoryMost))
	w.IdleCPU, w.IdleRSS = &of, &memory
}

// costOfAll is what some processes have cost, where the system tells.
func costOfAll(peers []local.Peer) (cpu time.Duration, rss int64, ok bool) {
	for _, p := range peers {
		used, memory, ok := cost(p.PID)
		if !ok {
			return 0, 0, false
		}
		cpu, rss = cpu+used, rss+memory
	}
	return cpu, rss, len(peers) > 0
}
