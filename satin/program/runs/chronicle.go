package runs

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

const (
	// storiesMax bounds the runs whose stories are kept: more than a grid has at a time.
	storiesMax = 512
	// lookEvery is how often it is looked what has become of the runs. What is told is looked
	// at when it is.
	lookEvery = time.Second
	// toldAfter is within what time after a run was seen to be on no more it is told how it has
	// ended, unless that is not known.
	toldAfter = 10 * time.Second
	// earlyMax bounds what is told of runs before they are looked at: each goes on once, or
	// waits.
	earlyMax = 64
	// bestMax bounds what is told of a best, in bytes.
	bestMax = 200
)

// Chronicle is what has happened to the runs of a grid as one host of it has heard, from when it
// began on: a story for each. Its zero value has none.
type Chronicle struct {
	mu      sync.Mutex                  // protects what follows
	stories []*story                    // the oldest first
	present map[string]bool             // the peers, by name
	early   []Happening                 // of runs that were not looked at yet, with their times
	told    chan struct{}               // wakes Follow
	best    func(satin.RunStats) string // what the best of a run says of itself; nil: nothing
	folder  string                      // where stories are kept; "": nowhere
	gone    []string                    // runs whose stories are there, and are forgotten
}

// Shown says in a few words how good the best of a run is that a peer holds; "": nothing is said.
type Shown func(p *satin.Peer, r satin.RunStats) string

// Follow looks what becomes of the runs of a peer's grid, until that ends: at once, and then beside
// its caller. best is what their bests say of themselves; nil: nothing. What it returns is closed
// when it has ended.
func (c *Chronicle) Follow(p *satin.Peer, best Shown) (ended <-chan struct{}) {
	told, over := c.begins(p, best), make(chan struct{})
	c.Look(p.Runs())
	go func() {
		defer close(over)
		every := time.NewTicker(lookEvery)
		defer every.Stop()
		for {
			select {
			case <-p.Done():
				c.write()
				return
			case <-told:
			case <-every.C:
				c.write() // at its leisure: many runs are over by then
			}
			c.Look(p.Runs())
		}
	}()
	return over
}

// begins notes who is there, and gives what wakes Follow.
func (c *Chronicle) begins(p *satin.Peer, best Shown) <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, m := range p.Members() {
		c.comes(m.Name)
	}
	if best != nil {
		c.best = func(r satin.RunStats) string { return best(p, r) }
	}
	c.told = make(chan struct{}, 1)
	return c.told
}

// comes notes that a peer is there, and tells whether that is news.
func (c *Chronicle) comes(peer string) (news bool) {
	if c.present == nil {
		c.present = map[string]bool{}
	}
	news = !c.present[peer]
	c.present[peer] = true
	return news
}

// Event takes what the library tells of the grid. Who comes and goes concerns all runs that are on.
func (c *Chronicle) Event(e satin.Event) { c.event(e, time.Now()) }

func (c *Chronicle) event(e satin.Event, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	h := Happening{Peer: e.Peer, Site: e.Site}
	switch e.Kind {
	case satin.EventJoined:
		if c.comes(e.Peer) {
			h.Event = "joined"
		}
	case satin.EventLost:
		delete(c.present, e.Peer)
		h.Event, h.How = "lost", local.Ended(e.How)
		if h.How == "leave" {
			h.Event = "left"
		}
	case satin.EventResumed:
		c.enterOf(e, now, "resumed", fmt.Sprintf("%s goes on with what it had stored: %s, of %.1f s of work",
			e.Peer, wording.Count(e.Results, "result"), e.Saved.Seconds()))
	case satin.EventHeld:
		c.enterOf(e, now, "held", fmt.Sprintf("its root waits for %s or more, unless another peer comes: %d lives of %s have ended with it, and nothing was finished",
			wording.Duration(e.Wait), e.Ends, e.Peer))
	case satin.EventEnded:
		if s := c.storyOf(e.Run); s != nil && !s.ended {
			s.end(now, howEnded(e.How))
			s.buried = now
		}
	}
	for _, s := range c.stories {
		if h.Event != "" && !s.over {
			s.enter(now, h)
		}
	}
	select {
	case c.told <- struct{}{}:
	default: // it looks already, or not yet
	}
}

// enterOf enters what is told of a run, now or when it is looked at: who starts tells before.
func (c *Chronicle) enterOf(e satin.Event, now time.Time, event, what string) {
	h := Happening{At: now, Run: e.Run.String(), Event: event, Peer: e.Peer, What: what}
	if s := c.storyOf(e.Run); s != nil {
		s.enter(now, h)
	} else if len(c.early) < earlyMax {
		c.early = append(c.early, h)
	}
}

// improve enters which runs have a better best than at the last look.
func (c *Chronicle) improve(all []satin.RunStats, now time.Time) {
	for _, r := range all {
		says, is := c.isBetter(r)
		if !is {
			continue
		}
		what := "a better best"
		if says != nil { // the program's own code: the lock is not held meanwhile
			what = cmp.Or(says(r), what)
		}
		c.mu.Lock()
		if s := c.storyOf(r.ID); s != nil {
			s.run.Best = r.Best
			s.enter(now, Happening{Event: "best", What: cutBytes(what, bestMax)})
		}
		c.mu.Unlock()
	}
}

// isBetter tells whether a run has another best than at the last look, and what says how good it
// is.
func (c *Chronicle) isBetter(r satin.RunStats) (says func(satin.RunStats) string, is bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.storyOf(r.ID)
	return c.best, s != nil && !s.over && r.Best != s.run.Best && r.Best != (satin.RunID{})
}

// Look compares the runs with what they were at the last look.
func (c *Chronicle) Look(all []satin.RunStats) {
	now := time.Now()
	c.improve(all, now)
	c.look(all, now)
}

func (c *Chronicle) look(all []satin.RunStats, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	on := map[satin.RunID]bool{}
	for _, r := range all {
		on[r.ID] = true
		c.changed(r, now)
	}
	for _, s := range c.stories {
		switch {
		case on[s.run.ID]:
			s.missed = time.Time{}
		case s.ended || s.mayComeBack(now):
		case s.missed.IsZero() && s.read.IsZero():
			s.missed = now
		case now.Sub(s.missed) >= toldAfter || !s.read.IsZero():
			// of one that was there before the start nothing is told
			s.end(now, "it is not on any more, and no answer of it is kept")
		}
	}
}

// changed enters what is news of a run.
func (c *Chronicle) changed(r satin.RunStats, now time.Time) {
	s := c.storyOf(r.ID)
	if s == nil {
		s = c.begin(r, now)
	}
	if !s.buried.IsZero() && now.Sub(s.buried) < toldAfter {
		return // it was listed before its end was told
	}
	// more may wait for it than those who were known
	s.ended, s.buried = false, time.Time{}
	was := s.run
	s.read = time.Time{}
	s.run, s.over = r, r.State.HasAnswer()
	s.run.Best = was.Best
	switch {
	case s.over && was.State != r.State:
		s.enter(s.answeredAt(now), answered(r))
	case r.State == satin.RunWaiting && was.State != r.State:
		s.enter(now, Happening{Event: "waiting", What: "its master is gone; it waits for another"})
	case r.State == satin.RunComputing && was.State.HasAnswer():
		s.enter(now, Happening{Event: "again", What: "its answer is gone with its master; it is computed again"})
	}
	if !s.over && r.State != satin.RunWaiting && r.Master != was.Master {
		h := Happening{Event: "master", Peer: r.Master}
		if was.Master != "" {
			h.What = "its root begins again there"
		}
		s.enter(now, h)
	}
	if r.Share != was.Share && was.Share != 0 {
		s.enter(now, Happening{Event: "share", What: fmt.Sprintf("its share is %d now, and was %d", r.Share, was.Share)})
	}
}

// answered is the line that says so.
func answered(r satin.RunStats) Happening {
	if r.State == satin.RunFailed {
		return Happening{Event: "failed", What: "failed: its answer is an error, which result prints"}
	}
	return Happening{Event: "answered", What: "answered"}
}

// answeredAt is when a run had its answer: that of one that is kept may have been there before
// anybody looked here. What was told before came before.
func (s *story) answeredAt(now time.Time) time.Time {
	if s.run.Kept > 0 {
		now = now.Add(s.run.Kept - s.run.Keep)
	}
	if last := s.lines[len(s.lines)-1].At; now.Before(last) {
		return last
	}
	return now
}

// begin begins a run's story, and forgets another where there are too many: the oldest that is
// over, or the oldest.
func (c *Chronicle) begin(r satin.RunStats, now time.Time) *story {
	if len(c.stories) >= storiesMax {
		i := max(0, slices.IndexFunc(c.stories, func(s *story) bool { return s.over }))
		c.gone = append(c.gone, c.stories[i].run.ID.String())
		c.stories = slices.Delete(c.stories, i, i+1)
	}
	s := &story{run: satin.RunStats{ID: r.ID}}
	c.stories = append(c.stories, s)
	what := "submitted: " + cmp.Or(r.Label, r.Task)
	if r.By != "" {
		what += ", by " + r.By
	}
	s.enter(now.Add(-r.Age), Happening{Event: "submitted", What: what})
	c.enterEarly(s)
	return s
}

// enterEarly enters what was told of a run before there was a story of it here.
func (c *Chronicle) enterEarly(s *story) {
	c.early = slices.DeleteFunc(c.early, func(h Happening) bool {
		if h.Run == s.run.ID.String() {
			s.enter(h.At, h)
			return true
		}
		return false
	})
}

func (c *Chronicle) storyOf(id satin.RunID) *story {
	for _, s := range c.stories {
		if s.run.ID == id {
			return s
		}
	}
	return nil
}
