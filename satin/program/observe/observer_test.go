package observe

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/across"
)

// crowd is a grid of fake hosts: each is at an address that is its id.
type crowd struct {
	hosts map[string]*fake
	all   []satin.Member
}

// fake is one of them.
type fake struct {
	in       *crowd
	me       satin.Member
	census   Census
	visits   atomic.Int64 // to ask what is done
	gathered atomic.Int64
	says     func(q across.Question) error // nil: it answers
}

// crowded makes a grid of so many peers at each site.
func crowded(sites map[string]int) *crowd {
	c := &crowd{hosts: map[string]*fake{}}
	for site, n := range sites {
		for i := range n {
			id := fmt.Sprintf("%s-%04d", site, i)
			m := satin.Member{ID: id, Name: site + "/" + fmt.Sprint(i), Site: site, State: "here", Workers: 2, Addrs: []string{id}}
			c.all = append(c.all, m)
			f := &fake{in: c, me: m}
			f.census = Census{Self: id, Own: f.own, Members: func() []satin.Member { return append([]satin.Member{}, c.all...) }, Ask: f.ask}
			c.hosts[id] = f
		}
	}
	return c
}

func (f *fake) own(loans bool) across.Doing {
	d := across.Doing{
		Name: f.me.Name, ID: f.me.ID, Site: f.me.Site, State: "here", Workers: 2, Build: "e7", Answers: true,
		Uptime: 10, Totals: satin.Totals{Jobs: 100}, Runs: []across.RunShare{},
	}
	if loans {
		d.Loans = []across.Loan{{No: 1, At: 9, Took: 1}}
	}
	return d
}

// ask is a visit of this host to others.
func (f *fake) ask(ctx context.Context, q across.Question, addrs ...string) (across.Response, error) {
	f.gathered.Add(1)
	return f.in.ask(ctx, q, addrs...)
}

// ask is a visit to the first of some hosts that answers.
func (c *crowd) ask(ctx context.Context, q across.Question, addrs ...string) (a across.Response, err error) {
	err = errors.New("nobody is there")
	for _, at := range addrs {
		f := c.hosts[at]
		if f == nil {
			continue
		}
		if q.Ask == across.AskDoing {
			f.visits.Add(1)
		}
		if f.says != nil {
			if err = f.says(q); err != nil {
				var denied *across.Denial
				if errors.As(err, &denied) {
					return a, err
				}
				continue
			}
		}
		return f.answer(ctx, q), nil
	}
	return a, err
}

func (f *fake) answer(ctx context.Context, q across.Question) (a across.Response) {
	switch {
	case q.Ask == across.AskPeers:
		a.Peers = &across.Peers{}
		for _, m := range f.in.all {
			a.Peers.Peers = append(a.Peers.Peers, across.Peer{Name: m.Name, ID: m.ID, Site: m.Site, State: m.State, Workers: m.Workers, Addrs: m.Addrs, Build: "e7"})
		}
	case q.Ask == across.AskJobs:
		a.Jobs = &across.Jobs{Grid: "lab"}
	case q.Alone:
		a.Activity = &across.Activity{By: f.me.Name, Doing: []across.Doing{f.own(q.Loans)}}
	default:
		a.Activity = &across.Activity{By: f.me.Name, Doing: f.census.Take(ctx, q.Loans), Sees: SitesSeen(f.in.all)}
	}
	return a
}

// TestManyPeersManyObservers: of a thousand peers at three sites, whoever looks asks one host of
// each site, which visits each of the others there; and many who look at the same time cost no more
// visits between hosts than one.
func TestManyPeersManyObservers(t *testing.T) {
	sites := map[string]int{"a": 400, "b": 350, "c": 250}
	c := crowded(sites)
	const observers = 8
	var looking sync.WaitGroup
	for range observers {
		looking.Go(func() {
			o := &Observer{Ask: c.ask, Addrs: []string{"a-0007"}}
			s, err := o.Look(t.Context())
			if err != nil || len(s.Peers) != 1000 || len(s.Hosts) != 3 || len(s.Mute) > 0 {
				t.Errorf("it sees %d peers by %d hosts: %v", len(s.Peers), len(s.Hosts), err)
			}
			for _, d := range s.Peers {
				if !d.Answers || d.Totals.Jobs != 100 {
					t.Fatalf("%s does %+v", d.Name, d)
				}
			}
		})
	}
	looking.Wait()
	for id, f := range c.hosts {
		site, first := f.me.Site, strings.HasSuffix(id, "-0000")
		rounds := c.hosts[site+"-0000"].gathered.Load() / int64(sites[site]-1)
		// one round is good for half a second: on a machine that is busy there may be more
		visits := f.visits.Load()
		switch {
		case rounds < 1 || rounds >= observers:
			t.Errorf("%s gathers %d times for %d observers", site, rounds, observers)
		case first && visits != observers:
			t.Errorf("%s is visited %d times, wanted once by each observer", id, visits)
		case !first && visits != rounds:
			t.Errorf("%s is visited %d times in %d rounds", id, visits, rounds)
		case !first && f.gathered.Load() != 0:
			t.Errorf("%s gathers, too", id)
		}
	}
}

// TestWhoDoesNotAnswer is in the list with what the others know. When the host that is asked first
// does not answer, another of its site tells.
func TestWhoDoesNotAnswer(t *testing.T) {
	c := crowded(map[string]int{"a": 3, "b": 2})
	gone := func(across.Question) error { return errors.New("no answer") }
	c.hosts["a-0000"].says, c.hosts["a-0002"].says = gone, gone
	o := &Observer{Ask: c.ask, Addrs: []string{"a-0000", "b-0001"}}
	s, err := o.Look(t.Context())
	if err != nil || s.Grid != "lab" || len(s.Peers) != 5 || len(s.Mute) != 0 || s.Hosts[0].By != "a/1" {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, d := range s.Peers {
		if d.Answers == (d.ID == "a-0000" || d.ID == "a-0002") || d.State != "here" || d.Workers != 2 || d.Build != "e7" {
			t.Errorf("%+v", d)
		}
	}
	// the next time it is asked first who has answered
	before := c.hosts["a-0000"].visits.Load()
	if _, err := o.Look(t.Context()); err != nil || c.hosts["a-0001"].visits.Load() == 0 {
		t.Error(err)
	}
	if n := c.hosts["a-0000"].visits.Load() - before; n > 1 { // by the census alone
		t.Errorf("who does not answer was asked %d times more", n)
	}

	// nobody of a site, by silence or since it is of an older build
	for _, id := range []string{"a-0000", "a-0001", "a-0002"} {
		c.hosts[id].says = gone
	}
	for _, id := range []string{"b-0000", "b-0001"} {
		c.hosts[id].says = func(q across.Question) error {
			if q.Ask == across.AskDoing {
				return &across.Denial{Text: "a node of build e7 does not know what \"doing\" asks", Code: 1}
			}
			return nil
		}
	}
	s, err = o.Look(t.Context())
	if err != nil || len(s.Peers) != 5 || len(s.Mute) != 2 || s.Mute[0].Refuses || s.Mute[0].Peers != 3 || !s.Mute[1].Refuses {
		t.Fatalf("%+v, %v", s, err)
	}
	for _, d := range s.Peers {
		if d.Answers || d.Build != "e7" || d.Workers != 2 || d.Runs == nil {
			t.Errorf("%+v", d)
		}
	}
	for _, f := range c.hosts {
		f.says = gone
	}
	if _, err := o.Look(t.Context()); err == nil {
		t.Error("nobody answers, and there is no error")
	}
}

// TestCensusIsForAll: that who wanted it first has gone does not end it for those who wait.
func TestCensusIsForAll(t *testing.T) {
	c := crowded(map[string]int{"a": 4})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	all := c.hosts["a-0000"].census.Take(ctx, false)
	if len(all) != 4 {
		t.Fatalf("%d peers do something", len(all))
	}
	for _, d := range all {
		if !d.Answers {
			t.Errorf("%s has not answered", d.Name)
		}
	}
	// one that answers for another is not believed
	c.hosts["a-0001"].me.ID = "a-0002"
	c.hosts["a-0003"].census.till = c.hosts["a-0003"].census.till.Add(-censusFor)
	for _, d := range c.hosts["a-0003"].census.Take(t.Context(), false) {
		if d.Answers == (d.ID == "a-0001") {
			t.Errorf("%+v", d)
		}
	}
}

// TestSilentOnesTakeNobodysTurn: many machines that are gone keep who asks them waiting, once. The
// next time those come first who have answered.
func TestSilentOnesTakeNobodysTurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := crowded(map[string]int{"a": 4 * censusAtOnce})
		f := c.hosts["a-0000"]
		f.census.Ask = func(ctx context.Context, q across.Question, addrs ...string) (across.Response, error) {
			if addrs[0] < "a-0060" {
				<-ctx.Done()
				return across.Response{}, ctx.Err()
			}
			time.Sleep(time.Millisecond)
			if ctx.Err() != nil {
				return across.Response{}, ctx.Err()
			}
			return c.ask(ctx, q, addrs...)
		}
		answers := func() (n int) {
			for _, d := range f.census.Take(t.Context(), false) {
				if d.Answers {
					n++
				}
			}
			return n
		}
		answers()
		answers()
		for range 3 { // each time those are asked first that did not keep others waiting
			time.Sleep(2 * censusFor)
			if n := answers(); n != 4*censusAtOnce-59 {
				t.Errorf("%d of %d answer", n, 4*censusAtOnce-59)
			}
		}
	})
}

// TestHostThatStandsStill: it takes a visit and says nothing. The others are asked instead, and it
// is the last to be asked the next time.
func TestHostThatStandsStill(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := crowded(map[string]int{"a": 3})
		o := &Observer{Addrs: []string{"a-0000", "a-0001", "a-0002"}}
		o.Ask = func(ctx context.Context, q across.Question, addrs ...string) (across.Response, error) {
			if addrs[0] == "a-0000" {
				<-ctx.Done()
				return across.Response{}, ctx.Err()
			}
			return c.ask(ctx, q, addrs...)
		}
		for _, want := range []time.Duration{hostMax + siteMax, siteMax} {
			began := time.Now()
			s, err := o.Look(t.Context())
			if took := time.Since(began); err != nil || len(s.Members) != 3 || took > want {
				t.Errorf("after %v it sees %d members: %v", took, len(s.Members), err)
			}
		}
		if hostOf("/ip4/10.0.0.1/tcp/4001/p2p/x") != hostOf("/dns4/a/tcp/4001/p2p/x") || hostOf("there") != "there" {
			t.Error("two addresses of one host are of two")
		}
	})
}

// TestLoansAreAskedFor: single loans are gathered for those who want them, and cost nobody else
// anything.
func TestLoansAreAskedFor(t *testing.T) {
	c := crowded(map[string]int{"a": 3, "b": 2})
	loans := func(want bool) (n int) {
		o := &Observer{Ask: c.ask, Addrs: []string{"a-0000"}, Loans: want}
		s, err := o.Look(t.Context())
		if err != nil || len(s.Peers) != 5 {
			t.Fatalf("%d peers, %v", len(s.Peers), err)
		}
		for _, d := range s.Peers {
			n += len(d.Loans)
		}
		return n
	}
	for i, want := range []bool{false, true, false, true} { // all while an answer is good
		if n := loans(want); n != map[bool]int{true: 5}[want] {
			t.Errorf("look %d, which wants loans %v: %d of five peers", i, want, n)
		}
	}
}

// TestLoansFitIntoAnAnswer: where a site has too many, the last ones of each are told of.
func TestLoansFitIntoAnAnswer(t *testing.T) {
	var many []across.Loan
	for n := range across.LoansMax {
		many = append(many, across.Loan{No: uint64(n + 1), Run: strings.Repeat("a", 64), From: strings.Repeat("<", 256), At: 1})
	}
	const peers = 400
	one := lastLoans(many, loansMax/peers)
	text, err := json.Marshal(one)
	if err != nil || len(one) == 0 || one[len(one)-1].No != across.LoansMax || peers*len(text) > 2*loansMax {
		t.Errorf("%d loans of each of %d peers take %d bytes, %v", len(one), peers, peers*len(text), err)
	}
	if all := lastLoans(many[:3], loansMax); len(all) != 3 {
		t.Errorf("of three there are %d", len(all))
	}
}
