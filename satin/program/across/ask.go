package across

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"satingrid/satin"
	"satingrid/satin/ticket"
)

// visitsAtOnce bounds the hosts that one process visits at a time.
const visitsAtOnce = 8

// Denial is the error of a host that has answered with one.
type Denial struct {
	Text string
	Code int // the exit code that goes with it
}

func (r *Denial) Error() string { return r.Text }

// Visitor asks hosts of any build.
type Visitor struct {
	Ticket ticket.Ticket // the secret; its addresses do not count
	State  string        // the folder under whose identity it asks; "": under none that is kept
}

// Ask asks one of the hosts at these addresses: the first that answers.
func (v Visitor) Ask(ctx context.Context, q Question, addrs ...string) (Response, error) {
	q.Schema = Schema
	v.Ticket.Addrs = addrs
	text, err := satin.Visit(ctx, v.Ticket, v.State, encode(q))
	if err != nil {
		return Response{}, err
	}
	a, err := read(text)
	if err == nil && a.Error != "" {
		err = &Denial{a.Error, a.Code}
	}
	return a, err
}

// nextAfter is how long a host has to itself before the next is asked, too: some round trips within
// a continent. Mostly the first answers, and who else is in a ticket is left in peace.
const nextAfter = 100 * time.Millisecond

// AskOne asks the hosts at these addresses one after the other: the next one as soon as the last
// has failed, or has said nothing for a while. It returns the first answer, or why there is none.
func (v Visitor) AskOne(ctx context.Context, q Question, addrs []string) (first Visited, err error) {
	ctx, cancel := context.WithCancel(ctx)
	var asked sync.WaitGroup
	defer asked.Wait()
	defer cancel()
	hosts := ticket.HostsOf(addrs)
	answers := make(chan Visited, len(hosts))
	err = errNoAddress
	for open, late := 0, time.After(0); open > 0 || len(hosts) > 0; {
		select {
		case <-late:
			if late = nil; len(hosts) > 0 && open < visitsAtOnce {
				h := hosts[0]
				hosts = hosts[1:]
				open++
				asked.Go(func() {
					a, err := v.Ask(ctx, q, h.Addrs...)
					answers <- Visited{h, a, err}
				})
				late = time.After(nextAfter)
			}
		case got := <-answers:
			if got.Err == nil {
				return got, nil
			}
			if open--; errors.Is(err, errNoAddress) {
				err = got.Err
			}
			late = time.After(0)
		}
	}
	return first, err
}

// errNoAddress says that nobody was asked.
var errNoAddress = errors.New("there is no address at which anybody could be asked")

// Visited is what came of asking one host.
type Visited struct {
	Host   ticket.Host
	Answer Response
	Err    error
}

// AskAll asks the hosts at these addresses, several at a time, and returns when all have answered,
// or cannot.
func (v Visitor) AskAll(ctx context.Context, q Question, addrs []string) []Visited {
	return v.askEach(ctx, q, addrs, func() {})
}

// laterMax is how long who may know the same as a host that has answered is waited for: machines
// that are gone may answer nothing for seconds each.
const laterMax = time.Second

// askSome is AskAll, but waits for nobody for longer than laterMax after the first has answered.
func (v Visitor) askSome(ctx context.Context, q Question, addrs []string) []Visited {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	soon := sync.OnceValue(func() *time.Timer { return time.AfterFunc(laterMax, cancel) })
	all := v.askEach(ctx, q, addrs, func() { soon() })
	soon().Stop()
	return all
}

// askEach asks them, and tells of each that answers.
func (v Visitor) askEach(ctx context.Context, q Question, addrs []string, answered func()) []Visited {
	hosts := ticket.HostsOf(addrs)
	all := make([]Visited, len(hosts))
	free := make(chan struct{}, visitsAtOnce)
	var asked sync.WaitGroup
	for i, h := range hosts {
		free <- struct{}{}
		asked.Go(func() {
			defer func() { <-free }()
			a, err := v.Ask(ctx, q, h.Addrs...)
			if all[i] = (Visited{h, a, err}); err == nil {
				answered()
			}
		})
	}
	asked.Wait()
	return all
}

// triedMax bounds the hosts that are asked when a grid is looked for.
const triedMax = 64

// Grids are the grids that hosts at these addresses are of, or know of, each build once: those that
// answer, with what they say of themselves, come first. A host that answers much later than others
// does not count. The error is that of a host, where none answers.
func (v Visitor) Grids(ctx context.Context, addrs []string) (grids []Portrait, err error) {
	tried := map[string]bool{}
	for queue := addrs; len(queue) > 0 && len(tried) < triedMax; {
		var round []string
		for _, h := range ticket.HostsOf(queue) {
			if !tried[h.ID] && len(tried) < triedMax {
				tried[h.ID] = true
				round = append(round, h.Addrs...)
			}
		}
		queue = nil
		for _, got := range v.askSome(ctx, Question{Ask: AskGrid}, round) {
			if got.Err == nil && got.Answer.Portrait == nil {
				got.Err = errors.New("its answer says nothing of its grid")
			}
			if got.Err != nil {
				err = errors.Join(err, got.Err)
				continue
			}
			about := *got.Answer.Portrait
			// what led there does so again; the host itself may know no such address
			about.Addrs = union(got.Host.Addrs, about.Addrs)
			if known := GridOf(grids, about.Build); known != nil {
				known.Addrs = union(known.Addrs, about.Addrs)
			} else {
				grids = append(grids, about)
			}
			for _, g := range slices.Concat(about.Next, about.Previous) {
				if GridOf(grids, g.Build) == nil {
					queue = append(queue, g.Addrs...)
				}
			}
		}
	}
	if len(grids) > 0 {
		return grids, nil
	}
	if err == nil {
		err = errNoAddress
	}
	return nil, fmt.Errorf("no host there answers questions: %w", err)
}

// union are addresses of two lists, each once.
func union(a, b []string) []string {
	has := map[string]bool{}
	for _, addr := range a {
		has[addr] = true
	}
	for _, addr := range b {
		if !has[addr] {
			has[addr] = true
			a = append(a, addr)
		}
	}
	return a[:min(len(a), addrsMax)]
}

// GridOf is that of a build, among some; nil: there is none.
func GridOf(grids []Portrait, build string) *Portrait {
	for i := range grids {
		if grids[i].Build == build {
			return &grids[i]
		}
	}
	return nil
}
