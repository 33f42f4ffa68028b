package satintest

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin"
)

// Storm says which faults happen to a grid while it computes.
type Storm struct {
	Seed  uint64        // of what happens to whom
	Every time.Duration // how often something happens; 0 is every 100 ms
}

// graceOfStorm is how long a peer that leaves in a storm may take.
const graceOfStorm = 2 * time.Second

// Strike lets faults happen to the grid: peers are killed, leave and join, are paused and resumed,
// sites are cut off and healed. One peer at least stays. A cut or a pause lasts until somebody was
// held dead, or the storm ends: one that nobody notices tests nothing. It returns a function that
// ends the storm, heals everything and tells what has happened, in words.
//
// What happens is drawn from the seed; when it strikes depends on the machine, so a seed that found
// a fault may need more than one try to find it again.
func (g *Grid) Strike(s Storm) (end func() string) {
	if s.Every == 0 {
		s.Every = 100 * time.Millisecond
	}
	x := &strike{grid: g, rand: rand.New(rand.NewPCG(s.Seed, 0x5707)), began: time.Now()}
	for _, site := range g.conf.Sites {
		x.sites = append(x.sites, site.Name)
	}
	stop := make(chan struct{})
	var goroutines sync.WaitGroup
	goroutines.Go(func() {
		for {
			select {
			case <-stop:
				return
			case <-time.After(s.Every):
				x.one()
			}
		}
	})
	return sync.OnceValue(func() string {
		close(stop)
		goroutines.Wait()
		x.leaving.Wait()
		g.Heal()
		for _, name := range g.Names() {
			g.Resume(name)
		}
		return strings.Join(x.log, "; ")
	})
}

// strike is a storm under way. One goroutine has it.
type strike struct {
	grid    *Grid
	rand    *rand.Rand
	sites   []string
	began   time.Time
	leaving sync.WaitGroup
	silent  bool // peers are paused, or sites cut off,
	since   int  // and so often was somebody held dead before
	log     []string
}

func (x *strike) say(format string, args ...any) {
	x.log = append(x.log, fmt.Sprintf("%.2fs ", time.Since(x.began).Seconds())+fmt.Sprintf(format, args...))
}

// one lets one thing happen.
func (x *strike) one() {
	g := x.grid
	names := g.Names()
	who := names[x.rand.IntN(len(names))]
	site := x.sites[x.rand.IntN(len(x.sites))]
	other := x.sites[x.rand.IntN(len(x.sites))]
	fault := x.rand.IntN(8)
	if fault >= 3 && x.silent && g.Lost() == x.since {
		return // what keeps peers silent goes on until it is noticed
	}
	switch {
	case len(names) < 2 || fault == 0:
		if name, err := g.Add(site); err == nil {
			x.say("join %s", name)
		}
	case fault == 1:
		g.Kill(who)
		x.say("kill %s", who)
	case fault == 2:
		x.leaving.Go(func() {
			ctx, cancel := context.WithTimeout(context.Background(), graceOfStorm)
			defer cancel()
			_ = g.Leave(ctx, who) // past its deadline it is a crash
		})
		x.say("leave %s", who)
	case fault == 3:
		x.hush()
		g.Pause(who)
		x.say("pause %s", who)
	case fault == 4:
		for _, name := range names {
			g.Resume(name)
		}
		x.silent = false
		x.say("resume all")
	case fault == 5 && site != other:
		x.hush()
		g.Cut(site, other)
		x.say("cut %s|%s", site, other)
	case fault == 6 && site != other:
		x.hush()
		g.CutOneWay(site, other)
		x.say("cut %s>%s", site, other)
	default:
		g.Heal()
		x.silent = false
		x.say("heal")
	}
}

// hush notes that somebody is silent from now on.
func (x *strike) hush() { x.silent, x.since = true, x.grid.Lost() }

// Check computes a task alone and then on a grid in a storm, and fails the test when the
// answers are not the same, or when the grid does not answer in time. Where nobody was lost
// meanwhile it computes the task again, so that each check is of a loss; none in half of
// patience fails the test, too. It is the test to have for every application:
//
//	c := satintest.Config{App: app, Strict: true}
//	satintest.Check(t, c, satintest.Storm{Seed: 1}, task, time.Minute,
//		func(alone, grid int) bool { return alone == grid })
//
// Where several answers are right, same compares what must be equal: the length of two
// tours, and that the second is one. Choose a task that takes a second or so: of one that is
// over in milliseconds a loss costs little.
func Check[T satin.Task[R], R any](tb testing.TB, c Config, s Storm, task T, patience time.Duration, same func(alone, grid R) bool) satin.Stats {
	tb.Helper()
	alone, err := satin.Run[T, R](context.Background(), nil, task)
	if err != nil {
		tb.Fatalf("alone: %v", err)
	}
	g := Start(tb, c)
	end := g.Strike(s)
	defer end()
	for began := time.Now(); ; {
		got, stats, err := once(g, task, patience, end)
		if err != nil {
			tb.Fatalf("seed %d: %v, after: %s", s.Seed, err, end())
		}
		if !same(alone, got) {
			tb.Fatalf("seed %d: the grid says %+v, and alone it is %+v, after: %s", s.Seed, got, alone, end())
		}
		if g.Lost() > 0 {
			tb.Logf("seed %d: %s", s.Seed, end())
			return stats
		}
		if time.Since(began) > patience/2 {
			tb.Fatalf("seed %d: nobody was lost in %v, so nothing was tested: %s", s.Seed, patience/2, end())
		}
	}
}

// stormAfterLoss is how long a storm goes on when somebody was lost: of one that never ends hardly
// any run does.
const stormAfterLoss = 2 * time.Second

// once computes a task on a grid. The storm ends some time after a loss, or after half of patience:
// when the faults are over, the run must end.
func once[T satin.Task[R], R any](g *Grid, task T, patience time.Duration, end func() string) (got R, stats satin.Stats, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	sub, err := satin.Submit[T, R](ctx, g.Client, task)
	if err != nil {
		return got, stats, err
	}
	g.weather(sub.Done(), patience/2, end)
	got, err = sub.Wait()
	return got, sub.Stats(), err
}

// weather has a storm end in time, and returns when a run is done.
func (g *Grid) weather(done <-chan struct{}, patience time.Duration, end func() string) {
	look := time.NewTicker(5 * time.Millisecond)
	defer look.Stop()
	var lost time.Time
	for began := time.Now(); ; {
		select {
		case <-done:
			return
		case now := <-look.C:
			if lost.IsZero() && g.Lost() > 0 {
				lost = now
			}
			if now.Sub(began) > patience || !lost.IsZero() && now.Sub(lost) > stormAfterLoss {
				end()
			}
		}
	}
}
