package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"
	"unicode/utf8"

	"satingrid/satin"
	satinbuild "satingrid/satin/build"
	"satingrid/satin/p2p"
	"satingrid/satin/program/across"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
)

// Display is how a node shows the runs of its applications to those who are of another build, and
// know nothing of them.
type Display struct {
	// AppOf tells which application a task is the root of; "": none.
	AppOf func(task string) string
	// Result prints what result prints of a run, and is the exit code with which that ends, or
	// the error, text or not. It writes no file.
	Result func(ctx context.Context, p *satin.Peer, r satin.RunStats, asJSON bool) (text string, exit int, err error)
	// Best says in a few words how good the best so far of a run is; "": nothing is said.
	Best func(p *satin.Peer, r satin.RunStats) string
}

// visit answers a question of a host of any build: with what a command on this machine is answered.
func (n *nodeState) visit(ctx context.Context, _ string, question []byte) []byte {
	a, err := n.answer(ctx, question)
	if err == nil {
		text := a.Text()
		if len(text) <= p2p.VisitReplyMax {
			return text
		}
		err = &tooMuch{fmt.Errorf("the answer has %d bytes, and a visit carries %d: ask with a command of this node's build", len(text), p2p.VisitReplyMax)}
	}
	var more *tooMuch
	return across.Response{Error: n.con.Words(err), Code: codeOf(err), Fetch: errors.As(err, &more)}.Text()
}

// tooMuch is the error of an answer that a visit cannot bring.
type tooMuch struct{ error }

func (e *tooMuch) Unwrap() error { return e.error }

// codeOf is the exit code of an error.
func codeOf(err error) int {
	var failure *admin.Failure
	var told *console.Error
	switch {
	case errors.As(err, &failure):
		return failure.Code
	case errors.As(err, &told):
		return told.Code
	}
	return console.ExitFailed
}

func (n *nodeState) answer(ctx context.Context, question []byte) (a across.Response, err error) {
	q, err := across.Understand(question)
	if err != nil {
		return a, err
	}
	if !n.in.Load() {
		return a, errors.New("this node is not in its grid yet; ask again")
	}
	switch q.Ask {
	case across.AskGrid:
		a.Portrait = n.portrait()
	case across.AskSuccessor:
		n.succeeded(*q.Grid)
		a.Portrait = n.portrait()
	case across.AskPeers:
		a.Peers = peersOf(n.Status())
	case across.AskJobs:
		a.Jobs = jobsOf(listOf(n.Status()), n.display.AppOf)
	case across.AskCancel:
		err = n.aboutRun(ctx, admin.Request{Do: admin.Cancel, Run: q.Run})
	case across.AskShare:
		err = n.aboutRun(ctx, admin.Request{Do: admin.Share, Run: q.Run, Share: q.Share})
	case across.AskLogs:
		var s runs.Story
		s, err = n.Story(q.Run, q.From)
		a.Story = &s
	case across.AskResult:
		a.Printed, err = n.result(ctx, q)
	case across.AskDoing:
		a.Activity = n.informant.activity(ctx, q)
	default:
		err = fmt.Errorf("a node of build %.12s does not know what %.20q asks", identity().Digest, string(q.Ask))
	}
	return a, err
}

// portrait is what this node knows of its grid, and of others.
func (n *nodeState) portrait() *across.Portrait {
	a := &across.Portrait{Name: n.ticket.Grid, Grid: n.grid()}
	for _, r := range n.peer.Runs() {
		if !r.State.HasAnswer() {
			a.Runs++
		}
	}
	a.Next, a.Previous = n.neighbours.Known(time.Now())
	return a
}

// grid is this node's grid, with the addresses of all members, its own first.
func (n *nodeState) grid() across.Grid {
	addrs := n.peer.Addrs()
	for _, m := range n.peer.Members() {
		if m.ID != n.peer.ID() {
			addrs = append(addrs, m.Addrs...)
		}
	}
	return across.Grid{Build: identity().Digest, Made: identity().Name, Addrs: addrs}
}

// succeeded hears that there is a successor of this node's grid. One of the same build is this grid
// itself, or part of it that does not know of this one yet.
func (n *nodeState) succeeded(g across.Grid) {
	if g.Build == identity().Digest {
		n.peer.Learn(g.Addrs)
		return
	}
	if n.neighbours.Succeeds(g, time.Now()) {
		n.con.Say("a grid of build %s, at %s, is the next one; %s leave --until-idle lets this node finish and leave", g.Short(), g.Addrs[0], n.con.Name)
	}
}

func (n *nodeState) result(ctx context.Context, q across.Question) (*across.Printed, error) {
	r, err := runs.Find(n.peer.Runs(), q.Run)
	if err != nil {
		return nil, missing(err)
	}
	text, exit, err := n.display.Result(ctx, n.peer, r, q.JSON)
	switch {
	case err != nil && ctx.Err() != nil:
		return nil, &tooMuch{err}
	case !utf8.ValidString(text):
		return nil, &tooMuch{errors.New("the answer is no text: ask with a command of this node's build")}
	}
	if err != nil && text != "" {
		return &across.Printed{Text: text, Exit: codeOf(err), Says: n.con.Words(err)}, nil
	}
	return &across.Printed{Text: text, Exit: exit}, err
}

// identity is what this program was built from. One that has none joins no grid, which says why. It
// may take a while the first time, so nobody asks for it before a node opens.
func identity() satinbuild.Identity {
	made, _ := satinbuild.This()
	return made
}

// isOtherBuild tells whether a grid has refused this process, or this process it, because of the
// build.
func isOtherBuild(err error) bool {
	var refused *p2p.DeniedError
	return errors.As(err, &refused) && (refused.Why == p2p.WhyHello || refused.Why == p2p.WhyVersion)
}

// each are addresses of several lists, each once.
func each(lists ...[]string) (addrs []string) {
	has := map[string]bool{}
	for _, a := range slices.Concat(lists...) {
		if !has[a] {
			has[a] = true
			addrs = append(addrs, a)
		}
	}
	return addrs
}
