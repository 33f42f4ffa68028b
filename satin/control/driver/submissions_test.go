package driver

import (
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// asking is a member that has submitted two roots, under nonces a and b, and is alone.
func asking(t *testing.T, c Config) (d *Driver, n *network, a, b steal.Nonce) {
	t.Helper()
	m := peer.New(peer.Config{Member: membership.Config{ID: "me", Name: "me"}}, rand.New(rand.NewPCG(1, 2)))
	n = new(network)
	d = New(c, m, n, quiet{}, n, nil, nil)
	m.Found(n.Now())
	submit := func(text string) steal.Nonce {
		root := []byte(text)
		nonce, effects, err := d.Submit(peer.RootOf(steal.KeyOf(root), "t", root))
		if err != nil {
			t.Fatal(err)
		}
		d.Do(effects)
		return nonce
	}
	return d, n, submit("a"), submit("b")
}

// how is how each submission has ended, so far.
func (n *network) how(no steal.Nonce) (all []EndHow) {
	for _, e := range n.ended[no] {
		all = append(all, e.How)
	}
	return all
}

// TestAnswersAreHandedOn: when they were read and their statistics are whole, whichever comes
// first; once, with what is known then.
func TestAnswersAreHandedOn(t *testing.T) {
	d, n, a, b := asking(t, Config{})
	n.now = 2 * time.Second
	d.Do([]peer.Effect{peer.Deliver{Nonce: a, Result: steal.Result{Cost: 5000}}})
	d.Do([]peer.Effect{peer.Deliver{Nonce: a}}) // which the machine never says twice
	n.now = time.Minute
	n.reading[0]()
	if len(n.reading) != 1 || len(n.ended) > 0 {
		t.Errorf("%d are read, and %v have ended without statistics", len(n.reading), n.ended)
	}
	d.Do([]peer.Effect{peer.AllReported{Nonce: b}, peer.Deliver{Nonce: b}})
	if len(n.ended) > 0 {
		t.Errorf("%v have ended unread", n.ended)
	}
	n.reading[1]()
	d.Do([]peer.Effect{peer.AllReported{Nonce: a}, peer.AllReported{Nonce: a}})
	if !slices.Equal(n.how(a), []EndHow{Answered}) || !slices.Equal(n.how(b), []EndHow{Answered}) {
		t.Errorf("they have ended as %v", n.ended)
	}
	if s := n.ended[a][0].Statistics; s.Seconds != 2 || len(s.Peers) != 1 || s.Peers[0].Name != "me" {
		t.Errorf("its statistics are %+v", s)
	}
	if _, _, ok := d.Statistics(a); ok || len(d.submissions.all) > 0 {
		t.Error("it has ended, and is known")
	}
}

// TestSubmissionsAreWithdrawn: unless they have ended, or their answers are being read.
func TestSubmissionsAreWithdrawn(t *testing.T) {
	d, n, a, b := asking(t, Config{})
	d.Withdraw(a)
	d.Withdraw(a)
	d.Do([]peer.Effect{peer.Deliver{Nonce: b}})
	d.Withdraw(b)
	if !slices.Equal(n.how(a), []EndHow{Withdrawn}) || len(n.how(b)) > 0 {
		t.Errorf("they have ended as %v", n.ended)
	}
	d.Do([]peer.Effect{peer.Deliver{Nonce: a}, peer.AllReported{Nonce: b}}) // a is on its way
	n.reading[0]()
	if len(n.reading) != 1 || !slices.Equal(n.how(b), []EndHow{Answered}) {
		t.Errorf("%d are read, they have ended as %v", len(n.reading), n.ended)
	}
	if _, _, err := d.Submit(peer.Root{Args: make([]byte, peer.RootMax+1)}); err == nil && len(d.submissions.all) != 1 {
		t.Errorf("%d wait", len(d.submissions.all))
	}
}

// TestRunsFailWithAMember: where fault tolerance is off, all that was submitted here and has no
// answer yet does, but not when the member has left.
func TestRunsFailWithAMember(t *testing.T) {
	d, n, a, b := asking(t, Config{NoFT: true})
	x := membership.Member{ID: "x", Name: "b/1", How: membership.Went}
	d.Do([]peer.Effect{membership.Lost{Member: x}})
	d.Do([]peer.Effect{peer.Deliver{Nonce: b}})
	if len(n.ended) > 0 {
		t.Errorf("one has left, and they have ended as %v", n.ended)
	}
	x.How = membership.Silent
	d.Do([]peer.Effect{membership.Lost{Member: x}})
	d.Do([]peer.Effect{membership.Lost{Member: x}})
	if !slices.Equal(n.how(a), []EndHow{Bereft}) || n.ended[a][0].Lost.Name != "b/1" || len(n.how(b)) > 0 {
		t.Errorf("they have ended as %v", n.ended)
	}
	tolerant, n, _, _ := asking(t, Config{})
	tolerant.Do([]peer.Effect{membership.Lost{Member: x}})
	if len(n.ended) > 0 {
		t.Errorf("with fault tolerance they have ended as %v", n.ended)
	}
}

// TestSubmittersAreTold: who comes, goes, is master and reports.
func TestSubmittersAreTold(t *testing.T) {
	d, n, a, b := asking(t, Config{})
	x := membership.Member{ID: "x", Name: "b/1", Site: "b"}
	d.Do([]peer.Effect{
		membership.Joined{Member: x},
		peer.Reported{Nonce: a, From: "x", Report: peer.Report{Master: true, Progress: 0.5, Stats: peer.PeerStats{Name: "b/1", Jobs: 3}}},
		peer.Reported{Nonce: 9, From: "x"},
		membership.Lost{Member: x, Noticed: time.Second},
	})
	one, progress, _ := d.Statistics(a)
	two, _, _ := d.Statistics(b)
	if want := []string{"me", "b/1"}; !slices.Equal(one.Masters, want) || progress != 0.5 || !slices.Equal(two.Masters, want[:1]) {
		t.Errorf("masters are %v and %v, progress %v", one.Masters, two.Masters, progress)
	}
	if len(one.Losses) != 1 || len(two.Losses) != 1 || one.Peers[0].Jobs != 3 || two.Peers[0].Jobs != 0 {
		t.Errorf("%+v and %+v", one, two)
	}
	if last, ok := n.rest[len(n.rest)-1].(MemberLost); !ok || last.Member.ID != "x" || last.Noticed != time.Second || last.Late {
		t.Errorf("the latest news is %+v", last)
	}
}

// TestMastersAreNamed: one that is no member yet is told of when it is, if it still is the master.
func TestMastersAreNamed(t *testing.T) {
	d, n, _, _ := asking(t, Config{})
	masters := func() (all []Master) {
		for _, e := range n.rest {
			if m, ok := e.(Master); ok {
				all = append(all, m)
			}
		}
		n.rest = nil
		return all
	}
	masters()
	d.Do([]peer.Effect{peer.Mastered{Run: 7, Master: "x"}})
	if all := masters(); len(all) > 0 || d.Master(7) != "x" {
		t.Errorf("without a name it is told of: %v", all)
	}
	again := peer.Mastered{Run: 7, Master: "me", Epoch: membership.Epoch{Number: 2}}
	d.Do([]peer.Effect{peer.Mastered{Run: 7, Master: "me"}, again})
	if all := masters(); !slices.Equal(all, []Master{{7, "me", "me"}}) {
		t.Errorf("told is of %v", all)
	}
}
