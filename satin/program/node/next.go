package node

import (
	"context"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/ticket"
)

const (
	// declareEvery is how often a node tells the grids before its own of that, if they are
	// small: where all tell many, it is that much longer for each twenty.
	declareEvery  = 5 * time.Second
	declareToMany = 20
	// declareSoon is how long after the first time it does so again: whoever founded at the
	// same moment has told them meanwhile.
	declareSoon = time.Second
	// lostEvery is how often it looks whether anybody of those grids is there again.
	lostEvery = time.Minute

	// declareMax bounds one round, and elsewhereMax how long is looked for grids of other
	// builds.
	declareMax   = 30 * time.Second
	elsewhereMax = 15 * time.Second

	// ledMax bounds the addresses at which they are told.
	ledMax = 1024
)

// open opens the node. Where those that it is led to are of another build, one that was started
// with --next joins the grid of its own build, or founds it.
func (n *nodeState) open(ctx context.Context, config satin.Config) (err error) {
	n.peer, err = satin.Open(ctx, config)
	if !n.next || !isOtherBuild(err) {
		return err
	}
	if config.Ticket.Addrs = n.kin(ctx); len(config.Ticket.Addrs) > 0 {
		config.WhenAlone = satin.AloneFoundsAnew
		if n.peer, err = satin.Open(ctx, config); !isNobody(err) {
			return err
		}
	}
	config.WhenAlone, config.Ticket.Addrs = satin.AloneFoundsAnew, nil
	n.peer, err = satin.Open(ctx, config)
	return err
}

// kin are the addresses of members of the grid of this build, as those of other builds tell that
// this node is led to.
func (n *nodeState) kin(ctx context.Context) []string {
	ctx, cancel := context.WithTimeout(ctx, elsewhereMax)
	defer cancel()
	grids, err := n.visitor().Grids(ctx, n.led)
	if own := across.GridOf(grids, identity().Digest); err == nil && own != nil {
		return own.Addrs
	}
	return nil
}

// refusedByBuild is the error of a node whose grid is of another build.
func (n *nodeState) refusedByBuild(by *Invitation, refusal error) error {
	ctx, cancel := context.WithTimeout(context.Background(), elsewhereMax)
	defer cancel()
	grids, _ := n.visitor().Grids(ctx, n.led) // where nobody answers, none is known
	return otherBuild(n.con, by, refusal, grids, "start with --next, which joins that, or begins it where there is none")
}

func (n *nodeState) visitor() across.Visitor {
	return across.Visitor{Ticket: n.ticket, State: n.folder}
}

// declare tells the members of the grids before this node's own that this one is their next, until
// the node ends, and notes where they are.
func (n *nodeState) declare() {
	for round := 0; ; round++ {
		wait := lostEvery
		if there := n.declareOnce(n.life); len(there) > 0 {
			n.led = there
			wait = declareEvery * time.Duration(1+len(ticket.HostsOf(there))/declareToMany)
		}
		if round == 0 {
			wait = declareSoon
		}
		if pause(n.life, wait) != nil {
			return
		}
	}
}

// declareOnce tells all of them once, and is where those are that have answered.
func (n *nodeState) declareOnce(ctx context.Context) (there []string) {
	ctx, cancel := context.WithTimeout(ctx, declareMax)
	defer cancel()
	mine := n.grid()
	var led, kin [][]string
	for _, got := range n.visitor().AskAll(ctx, across.Succession(mine), n.led) {
		at := got.Answer.Portrait
		if got.Err != nil || at == nil || at.Build == mine.Build {
			continue
		}
		if n.neighbours.Precedes(at.Grid, time.Now()) {
			n.con.Say("the grid of build %s knows that this one is its next", at.Short())
		}
		led = append(led, got.Host.Addrs, at.Addrs)
		for _, g := range at.Next {
			if g.Build == mine.Build {
				kin = append(kin, g.Addrs)
			} else {
				led = append(led, g.Addrs)
			}
		}
	}
	if len(kin) > 0 {
		n.peer.Learn(each(kin...))
	}
	there = each(led...)
	return there[:min(len(there), ledMax)]
}
