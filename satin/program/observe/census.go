package observe

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/across"
)

const (
	// censusMax is how long the members of a site have to answer the one that asks them: who
	// observes wants to see what is, and not who is slow.
	censusMax = time.Second

	// censusEach is how long one of them has, so that those that are gone do not keep the
	// others from being asked. It is some round trips within a site, on a busy machine.
	censusEach = 400 * time.Millisecond

	// censusFor is how long an answer is good for all who ask: they look once a second.
	censusFor = time.Second / 2

	// loansMax bounds the bytes that loans take of an answer, which has 4 MiB: there are some
	// thousand then of a whole site. loanBytes is what one takes beside its names, each byte of
	// which may become loanWide.
	loansMax  = 1 << 20
	loanBytes = 80
	loanWide  = 6

	// censusAtOnce bounds the members that one asks at a time.
	censusAtOnce = 16
)

// AskFunc asks a question of one of the hosts at some addresses: across.Visitor.Ask, or a test's.
type AskFunc func(ctx context.Context, q across.Question, addrs ...string) (across.Response, error)

// Census is what the members of a site do, as one of them gathers it for whoever asks that one.
type Census struct {
	Self    string // its id
	Own     func(loans bool) across.Doing
	Members func() []satin.Member // of the grid
	Ask     AskFunc

	// protects what follows; who asks while others are asked waits for their answers
	mu    sync.Mutex
	kept  []across.Doing
	loans bool // they are in it
	till  time.Time
	mute  map[string]bool // who was asked the last time and did not answer
}

// Take is what those members do now, or did a moment ago, with their last loans where these are
// wanted.
func (c *Census) Take(ctx context.Context, loans bool) []across.Doing {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !time.Now().Before(c.till) || loans && !c.loans {
		c.kept, c.loans = c.gather(ctx, loans), loans
		c.till = time.Now().Add(censusFor)
	}
	if c.loans && !loans {
		return withoutLoans(c.kept)
	}
	return c.kept
}

func withoutLoans(all []across.Doing) []across.Doing {
	all = slices.Clone(all)
	for i := range all {
		all[i].Loans = nil
	}
	return all
}

// gather asks all of them. The answer is for others, too: that who wanted it first has gone does
// not end it.
func (c *Census) gather(ctx context.Context, loans bool) []across.Doing {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), censusMax)
	defer cancel()
	own := c.Own(loans)
	near := slices.DeleteFunc(c.Members(), func(m satin.Member) bool { return m.Site != own.Site || m.ID == c.Self })
	// Those that are gone keep who asks waiting: they come last, and take nobody's turn.
	slices.SortStableFunc(near, func(a, b satin.Member) int { return rank(c.mute[a.ID]) - rank(c.mute[b.ID]) })
	all, asked := make([]across.Doing, len(near)), make([]bool, len(near))
	each(len(near), func(i int) {
		asked[i] = ctx.Err() == nil
		all[i] = c.ask(ctx, near[i], own.Build, loans)
	})
	c.mute = map[string]bool{}
	for i, d := range all {
		if asked[i] && !d.Answers {
			c.mute[d.ID] = true
		}
	}
	all = append(all, own)
	for i := range all {
		all[i].Loans = lastLoans(all[i].Loans, loansMax/len(all))
	}
	return all
}

// lastLoans are the last of some that take no more than so many bytes.
func lastLoans(all []across.Loan, bytes int) []across.Loan {
	from := len(all)
	for from > 0 {
		if bytes -= loanBytes + len(all[from-1].Run) + loanWide*(len(all[from-1].From)+len(all[from-1].What)); bytes < 0 {
			break
		}
		from--
	}
	return all[from:]
}

// rank is 1 of what comes after what has 0.
func rank(late bool) int {
	if late {
		return 1
	}
	return 0
}

// ask asks one member, which is told of in any case.
func (c *Census) ask(ctx context.Context, m satin.Member, build string, loans bool) across.Doing {
	ctx, cancel := context.WithTimeout(ctx, censusEach)
	defer cancel()
	a, err := c.Ask(ctx, across.Question{Ask: across.AskDoing, Alone: true, Loans: loans}, m.Addrs...)
	if err == nil && a.Activity != nil && len(a.Doing) == 1 && a.Doing[0].ID == m.ID {
		d := a.Doing[0]
		d.State = m.State // one that is suspected does not know it
		return d
	}
	return across.Doing{Name: m.Name, ID: m.ID, Site: m.Site, State: m.State, Workers: m.Workers, Build: build, Runs: []across.RunShare{}}
}

// SitesSeen is how a member sees the sites of its grid.
func SitesSeen(members []satin.Member) []across.SiteSeen {
	sites := []across.SiteSeen{}
	for _, m := range members {
		i, known := slices.BinarySearchFunc(sites, m.Site, func(s across.SiteSeen, name string) int { return strings.Compare(s.Site, name) })
		if !known {
			sites = slices.Insert(sites, i, across.SiteSeen{Site: m.Site})
		}
		if m.State == "suspected" {
			sites[i].Away++
		} else {
			sites[i].Peers++
		}
	}
	return sites
}

// each does something n times, several at a time, and returns when all of it is done.
func each(n int, do func(i int)) {
	free := make(chan struct{}, censusAtOnce)
	var done sync.WaitGroup
	for i := range n {
		free <- struct{}{}
		done.Go(func() {
			defer func() { <-free }()
			do(i)
		})
	}
	done.Wait()
}

// isRefusal tells whether a host has answered, with an error.
func isRefusal(err error) bool {
	var denied *across.Denial
	return errors.As(err, &denied)
}
