package program

import (
	"context"
	"fmt"
	"sync"
	"time"

	"satingrid/satin/program/chaos"
	"satingrid/satin/program/local"
)

// troubleEvery is how often a script is looked at.
const troubleEvery = 10 * time.Millisecond

// trouble plays a chaos script while a run goes on.
type trouble struct {
	engine *chaos.Engine
	stop   context.CancelFunc
	over   sync.WaitGroup
}

// ground is the grid of --sites as a script sees it.
type ground struct {
	*local.Grid
	feed *feed
	run  Running
}

// Master is the latest that was heard of: at once by an event, or at the latest by the
// masters' own reports.
func (g ground) Master() string {
	if name := g.feed.Master(); name != "" {
		return name
	}
	if masters := g.run.Stats().Masters; len(masters) > 0 {
		return masters[len(masters)-1]
	}
	return ""
}

func (g ground) Join(site string, workers int) (string, error) {
	return g.Grid.Join(site, workers, func(err error) {
		if err != nil {
			g.feed.say(fmt.Sprintf("a peer at %s did not become a member: %v", site, err))
		}
	})
}

// begin plays the script from now on. Without one it only says when no peer is left.
func (w *target) begin(p *openTarget, r Running, start time.Time, log *eventLines) *trouble {
	if p.grid == nil {
		return nil
	}
	ctx, cancel := context.WithCancel(context.Background())
	t := &trouble{stop: cancel}
	t.engine = chaos.New(w.script, ground{p.grid, p.feed, r}, w.sites, w.seed, func(text string, e chaos.Fault) {
		log.write(Event{Event: "chaos", What: text})
		p.feed.say("chaos: " + text)
	})
	t.over.Go(func() {
		ticker := time.NewTicker(troubleEvery)
		defer ticker.Stop()
		deserted := false
		t.engine.Look(0, 0)
		for {
			select {
			case <-ctx.Done():
				return
			case <-r.Done():
				return
			case <-ticker.C:
			}
			t.engine.Look(time.Since(start), r.Progress())
			if nobody := len(p.grid.Alive()) == 0; nobody != deserted {
				if deserted = nobody; nobody {
					p.feed.say("no peer is left; the run waits for one to join")
				}
			}
		}
	})
	return t
}

// end stops the script and tells what came of it.
func (t *trouble) end() (fired int, missed []string) {
	if t == nil {
		return 0, []string{}
	}
	t.stop()
	t.over.Wait()
	return t.engine.Report()
}
