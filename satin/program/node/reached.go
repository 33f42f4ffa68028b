package node

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/runs"
)

// reached is a grid as verbs about its runs reach it.
type reached interface {
	// list are its runs, with its name and the build of all that are on it
	list(ctx context.Context) (jobList, error)
	cancel(ctx context.Context, r satin.RunStats) error
	share(ctx context.Context, r satin.RunStats, n int) error
	// story is what has happened to the run that a word means, from a line on
	story(ctx context.Context, word string, from int) (runs.Story, error)
	// tailEvery is how often it is asked for more of that
	tailEvery() time.Duration
	close()
}

// jobList are the runs of a grid.
type jobList struct {
	grid, build string
	runs        []satin.RunStats
	builds      []string // of each run, where they are of several grids
	missing     error    // why runs of other grids are not among them
}

// buildOf is the build of the grid that a run is on.
func (l jobList) buildOf(i int) string {
	if l.builds == nil {
		return l.build
	}
	return l.builds[i]
}

// listOf are the runs that a node tells of.
func listOf(s admin.Status) jobList { return jobList{grid: s.Grid, build: s.Build, runs: s.Runs} }

// reach reaches the grid: through the node that runs here, or by visits, or as a client where
// nobody can be visited.
func (w *Where) reach(ctx context.Context, app satin.App) (r reached, err error) {
	console.WhileSlow(func() {
		if w.by == nil {
			r = byNode{w}
			return
		}
		if v, failure := w.atOnce(ctx); failure == nil {
			r = &v
			return
		}
		r, err = w.byClient(ctx, app)
		if isOtherBuild(err) {
			if v, failure := w.byVisit(ctx, w.by, w.by.leads(w.state)); failure == nil {
				r, err = &v, nil
			}
		}
		if err != nil {
			err = JoinError(w.con, err, w.by)
		}
	}, func() { w.con.Say("joining %s", w.Said()) })
	return r, err
}

// byNode asks the node that runs with the state folder.
type byNode struct{ where *Where }

func (n byNode) list(context.Context) (jobList, error) {
	s, err := admin.Ask(n.where.state)
	if err != nil {
		return jobList{}, n.where.noNode(err)
	}
	return listOf(s), nil
}

func (n byNode) cancel(ctx context.Context, r satin.RunStats) error {
	return adminError(admin.Tell(ctx, n.where.state, admin.Request{Do: admin.Cancel, Run: r.ID.String()}, func(string) {}))
}

func (n byNode) share(ctx context.Context, r satin.RunStats, share int) error {
	return adminError(admin.Tell(ctx, n.where.state, admin.Request{Do: admin.Share, Run: r.ID.String(), Share: share}, func(string) {}))
}

func (n byNode) story(_ context.Context, word string, from int) (s runs.Story, err error) {
	s, err = admin.Story(n.where.state, word, from)
	if errors.Is(err, admin.ErrNoNode) {
		return s, n.where.noNode(err)
	}
	return s, adminError(err)
}

// One asks its node on the same machine; a visit takes both ends some milliseconds.
func (byNode) tailEvery() time.Duration    { return 300 * time.Millisecond }
func (*byClient) tailEvery() time.Duration { return 300 * time.Millisecond }
func (*byVisit) tailEvery() time.Duration  { return watchEvery }

func (byNode) close() {}

// byClient is a client of the grid.
type byClient struct {
	peer      *satin.Peer
	grid      string
	chronicle *runs.Chronicle
}

func (w *Where) byClient(ctx context.Context, app satin.App) (reached, error) {
	c := &byClient{grid: w.by.Ticket.Grid, chronicle: new(runs.Chronicle)}
	var err error
	c.peer, err = w.by.open(ctx, w.state, satin.Config{App: app, Events: c.chronicle.Event, Log: w.con.Log("")})
	if err != nil {
		return nil, err
	}
	c.chronicle.Follow(c.peer, w.best) // ends with it
	return c, nil
}

func (c *byClient) list(context.Context) (jobList, error) {
	return jobList{grid: c.grid, build: identity().Digest, runs: c.peer.Runs()}, nil
}

func (c *byClient) cancel(ctx context.Context, r satin.RunStats) error {
	return c.peer.CancelRun(ctx, r.ID)
}

func (c *byClient) share(ctx context.Context, r satin.RunStats, n int) error {
	return c.peer.ShareRun(ctx, r.ID, n)
}

func (c *byClient) story(_ context.Context, word string, from int) (s runs.Story, err error) {
	if s, err = c.chronicle.Story(word, from); err != nil {
		err = console.Usage("%v", err)
	}
	return s, err
}

func (c *byClient) close() { c.peer.Close() }

// Find is the run that the command line means, on the grid that this client has just joined.
func (w *Where) Find(ctx context.Context, p *satin.Peer) (satin.RunStats, error) {
	return w.find(ctx, func(context.Context) (jobList, error) { return jobList{runs: p.Runs()}, nil })
}

// find is the run that the command line means, once it is listed: what a client has heard of the
// grid when it was let in may still be growing, and a node may not have heard yet of a run that
// another has just accepted.
func (w *Where) find(ctx context.Context, list func(context.Context) (jobList, error)) (satin.RunStats, error) {
	return soon(ctx, func() (r satin.RunStats, again bool, err error) {
		all, err := list(ctx)
		if err != nil {
			return r, false, err
		}
		r, err = w.findIn(all)
		return r, true, err
	})
}

// soon looks for something that may be there in a moment.
func soon[T any](ctx context.Context, look func() (found T, again bool, err error)) (T, error) {
	every := findEvery
	for late := time.After(findMax); ; every *= 2 {
		found, again, err := look()
		if err == nil || !again {
			return found, err
		}
		select {
		case <-late:
			return found, err
		case <-time.After(every):
		case <-ctx.Done():
			return found, context.Cause(ctx)
		}
	}
}

// findMax is how long a run is looked for, and findEvery how soon again after the first time.
const (
	findMax   = time.Second
	findEvery = 20 * time.Millisecond
)

// findIn is the run that the command line means, of a list: where it is not there, it may be among
// those that are missing.
func (w *Where) findIn(all jobList) (satin.RunStats, error) {
	r, err := w.findRun(all.runs)
	if err != nil && all.missing != nil {
		err = console.Refused("%v; and %v", err, all.missing)
	}
	return r, err
}

// findRun is the run that the command line means, on the grid that it leads to.
func (w *Where) findRun(all []satin.RunStats) (satin.RunStats, error) {
	r, err := runs.Find(all, w.Run)
	if err == nil && !w.mayMean(r) {
		return r, w.notThere(console.Usage("there is no run %q of those that were submitted from here; on the grid %s begins so", w.Run, r.ID.Short()))
	}
	var missing *runs.NotFound
	if !errors.As(err, &missing) {
		return r, err
	}
	return r, w.notThere(console.Usage("%v", missing))
}

// mayMean tells whether the command line may mean a run of the grid: the beginning of one that was
// submitted from here, which may be over, means no other.
func (w *Where) mayMean(r satin.RunStats) bool {
	return len(w.ones) == 0 || slices.ContainsFunc(w.ones, func(o runs.One) bool { return o.ID == r.ID.String() })
}

// notThere is the error of a run that is not found: one that was submitted from here was there.
func (w *Where) notThere(err error) error {
	var told *console.Error
	if errors.As(err, &told) && told.Code == console.ExitUsage && len(w.ones) == 1 && !strings.HasPrefix(told.Text, runs.Several) {
		one := w.ones[0]
		return &console.Error{Code: console.ExitFailed, Text: "run " + one.ID[:8] + " (" + one.Label + ") is not on any more, and no answer of it is kept"}
	}
	return err
}
