package node

import (
	"context"
	"fmt"
	"slices"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

const (
	// idleFor is how long a grid has had no run on when it is idle: a script that submits one
	// run after another does not lose its peers in between.
	idleFor = 5 * time.Second

	// idleStep is how much later each next peer of an idle grid leaves, so that it finds heirs,
	// and idleSteps how many such steps there are.
	idleStep  = 200 * time.Millisecond
	idleSteps = 50

	// soleFor is how long the one that leaves last waits for the others to do so, when the grid
	// keeps answers: those who are still there then will go on keeping them.
	soleFor = 30 * time.Second

	// awayFor is how long it waits for those who are to have an answer, and are not reached:
	// their link is down, or their machine asleep. Who was seen to die is not waited for.
	awayFor = 10 * time.Minute
)

// leisure is how long a grid has had nothing to do, as one of its members sees it.
type leisure struct {
	since time.Time // when it was seen to be idle; zero: it is not
	said  bool      // why this one stays
}

// may tells whether peers may leave now: the grid is idle, it is their turn, and no answer would
// be lost with them that is kept, or that somebody waits for who is away. Of those that look, all
// leave but the one with the smallest id, which stays until there are no answers or other peers
// keep them.
func (l *leisure) may(now time.Time, self string, leave []string, members []satin.Member, all []satin.RunStats) (ok bool, why string) {
	kept, away := 0, 0
	for _, r := range all {
		if !r.State.HasAnswer() {
			l.since = time.Time{}
			return false, ""
		}
		kept += count(r.Kept > 0)
		away += count(r.Kept == 0 && r.Waits > 0)
	}
	if l.since.IsZero() {
		l.since = now
	}
	var here []string
	others := false
	for _, m := range members {
		if m.State == "here" {
			here = append(here, m.ID)
			others = others || !slices.Contains(leave, m.ID)
		}
	}
	slices.Sort(here)
	before := len(here) - 1 - slices.Index(here, self)
	turn := idleFor + time.Duration(min(before, idleSteps))*idleStep
	switch idle := now.Sub(l.since); {
	case idle < turn:
		return false, ""
	case kept+away == 0 || !slices.Contains(leave, self) || len(here) > 0 && here[0] != self:
		return true, ""
	case others && idle >= soleFor, kept == 0 && idle >= awayFor:
		return true, ""
	}
	if others {
		return false, ""
	}
	has := fmt.Sprintf("it is the last that keeps %s", wording.Count(kept, "answer"))
	if kept == 0 {
		has = fmt.Sprintf("whoever waits for %s is away, and is given %s", wording.Count(away, "answer"), console.Brief(awayFor.Seconds()))
	}
	return false, "the grid is idle, and this node stays: " + has
}

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// awaitIdle returns when peers may leave because the grid is idle. It says why they stay.
func (n *nodeState) awaitIdle(ctx context.Context, leave []string, say func(string)) error {
	var l leisure
	for {
		ok, why := l.may(time.Now(), n.peer.ID(), leave, n.peer.Members(), n.peer.Runs())
		if ok {
			return nil
		}
		if why != "" && !l.said {
			l.said = true
			say(why + "; " + n.con.Name + " leave --self lets it go")
		}
		select {
		case <-n.peer.Done():
			return n.peer.Err()
		default:
		}
		if err := pause(ctx, lookAgain); err != nil {
			return err
		}
	}
}

// whenIdle is when the node leaves by --until-idle; nil: never.
func (n *nodeState) whenIdle() <-chan struct{} {
	if !n.untilIdle {
		return nil
	}
	idle := make(chan struct{})
	n.goroutines.Go(func() {
		if n.awaitIdle(n.life, []string{n.peer.ID()}, func(line string) { n.con.Say("%s", line) }) == nil {
			close(idle)
		}
	})
	return idle
}

// still are those of some that are not leaving yet, nor gone.
func (n *nodeState) still(ids []string) (here []string) {
	for _, m := range n.peer.Members() {
		if m.State != "leaving" && slices.Contains(ids, m.ID) {
			here = append(here, m.ID)
		}
	}
	return here
}

// leaveIdle lets peers leave once the grid is idle: at once, as far as whoever asks is concerned,
// or when they have.
func (n *nodeState) leaveIdle(ctx context.Context, ids []string, r admin.Request, say func(string)) error {
	if r.Wait {
		say(fmt.Sprintf("waiting until the grid has had no run on for %s", console.Brief(idleFor.Seconds())))
		if err := n.awaitIdle(ctx, ids, say); err != nil {
			return err
		}
		return n.leaveNow(ctx, n.still(ids), r, say)
	}
	say(wording.Count(len(ids), "peer") + " will leave when the grid has had no run on for " + console.Brief(idleFor.Seconds()))
	n.goroutines.Go(func() {
		log := func(line string) { n.con.Say("%s", line) }
		err := n.awaitIdle(n.life, ids, log)
		if err == nil {
			err = n.leaveNow(n.life, n.still(ids), r, log)
		}
		select {
		case <-n.peer.Done(): // which is why
		default:
			if err != nil {
				n.con.Say("not all have left, though the grid is idle: %v", err)
			}
		}
	})
	return nil
}
