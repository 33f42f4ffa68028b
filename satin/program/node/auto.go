package node

import (
	"context"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/hosting"
	"satingrid/satin/program/wording"
)

// leaveLeast is how long a leave may take at least, however soon the node has to be gone.
const leaveLeast = time.Second

// look finds out where this node runs, with --auto, and takes from that what no flag says.
func (n *nodeState) look(ctx context.Context, c *cli.Context, config *satin.Config) {
	n.place = hosting.Look(ctx)
	n.place.Ends = func(e hosting.Notice) { n.ends.Store(&e) }
	is := n.place.Is
	if is == "" {
		n.con.Say("nothing tells where this node runs: it is no job of Slurm, no pod of Kubernetes, nor an instance of a cloud that is known here")
		return
	}
	if n.place.Site != "" && !c.IsSet("site") {
		config.Site = n.place.Site
		is += "; site " + config.Site
	}
	if n.place.Workers > 0 && !c.IsSet("workers") {
		config.Workers = n.place.Workers
		is += "; " + wording.Count(config.Workers, "worker")
	}
	n.con.Say("this is %s", is)
}

// whenOver is when the node leaves because of where it runs.
func (n *nodeState) whenOver() <-chan hosting.Notice {
	over := make(chan hosting.Notice, 1)
	n.goroutines.Go(func() {
		if e, is := n.place.AwaitEnd(n.life, n.grace, n.con.Say); is {
			over <- e
		}
	})
	return over
}

// leaveBefore leaves before the machine, or what runs the node on it, ends it.
func (n *nodeState) leaveBefore(e hosting.Notice) {
	n.con.Say("leaving, since this node has to be gone by %s", e)
	n.quit(max(min(n.grace, time.Until(e.At)-leaveLeast), leaveLeast), "")
}
