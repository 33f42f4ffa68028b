package node

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"

	"satingrid/satin/program/across"
	"satingrid/satin/program/observe"
)

// TestCredits: each labelled job that was lent is credited once to who has executed it, in the run
// that it is of; the rest is the master's.
func TestCredits(t *testing.T) {
	is := observe.Sample{
		Members: []across.Peer{{Name: "a/1", Site: "a"}, {Name: "b/1", Site: "b"}},
		Runs:    []across.RunLine{{ID: "one", Master: "a/1"}, {ID: "two", Master: "12D3"}},
		Peers: []across.Doing{{ID: "y", Name: "b/1", Site: "b", Answers: true, Uptime: 9, Loans: []across.Loan{
			{No: 1, Run: "one", From: "a/1", What: "left"}, {No: 2, Run: "two", From: "a/1", What: "left"}, {No: 3, Run: "one", From: "a/1"},
		}}},
	}
	var mute error
	p := &Page{}
	look := p.noted(func(context.Context) (observe.Sample, error) { return is, mute })
	if all, rest := p.Credits("one"); all != nil || rest != (Attribution{}) {
		t.Errorf("before anything is seen: %v, %v", all, rest)
	}
	look(t.Context())
	is.Peers[0].Loans = append(is.Peers[0].Loans, across.Loan{No: 4, Run: "one", From: "a/1", What: "right"})
	look(t.Context())
	mute = errors.New("nobody answers")
	look(t.Context())
	want := []Attribution{{"left", "b/1", "b"}, {"right", "b/1", "b"}}
	if all, rest := p.Credits("one"); !slices.Equal(all, want) || rest != (Attribution{"", "a/1", "a"}) {
		t.Errorf("%v, and the rest is %v", all, rest)
	}
	if all, rest := p.Credits("two"); len(all) != 1 || rest != (Attribution{Peer: "12D3"}) {
		t.Errorf("of another run: %v, and the rest is %v", all, rest)
	}
}

// TestCreditsAreBounded: the oldest go.
func TestCreditsAreBounded(t *testing.T) {
	var c contributed
	for n := range creditsMax/across.LoansMax + 2 {
		var loans []across.Loan
		for i := range across.LoansMax {
			no := n*across.LoansMax + i + 1
			loans = append(loans, across.Loan{No: uint64(no), Run: "one", What: fmt.Sprint(no)})
		}
		c.note(observe.Sample{Peers: []across.Doing{{ID: "x", Answers: true, Uptime: float64(n), Loans: loans}}})
	}
	if all := c.of("one"); len(all) != creditsMax || all[0].What != fmt.Sprint(2*across.LoansMax+1) {
		t.Errorf("%d are kept, from %v on", len(all), all[0])
	}
}
