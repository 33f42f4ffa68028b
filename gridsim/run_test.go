package gridsim

import (
	"testing"
	"time"

	"satingrid/apps/uts/tree"
	"satingrid/satin/effort"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// play runs a seed and shows all there is to see when a checker finds something.
func play(t *testing.T, o Options) Report {
	t.Helper()
	r, err := Run(o)
	if err != nil {
		t.Fatalf("%v\n%s", err, explain(o))
	}
	return r
}

func TestSeeds(t *testing.T) {
	t.Parallel()
	seeds := effort.Of(60/slower, 20, 60)
	var far, again, lost, masters, rejoined, joined int
	for seed := range seeds {
		o := Draw(uint64(seed))
		o.CheckAll = seed%16 == 0
		r := play(t, o)
		far += min(int(r.LentFar), 1)
		again += min(int(r.Again), 1)
		lost += min(r.Lost, 1)
		masters += min(r.TwoMasters, 1)
		rejoined += min(r.Rejoined, 1)
		joined += r.Fired[Join]
	}
	t.Logf("of %d schedules %d lent far, %d put back, %d lost peers, %d had several masters, %d a rejoin; %d joins", seeds, far, again, lost, masters, rejoined, joined)
	if few := seeds / 20; far < few || again < few || lost < few || masters < few || rejoined < few || joined < few {
		t.Error("the seeds did less work than they claim")
	}
}

func TestSameSeedSameHash(t *testing.T) {
	t.Parallel()
	seen := map[[16]byte]uint64{}
	seeds := effort.Of(12/slower, 4, 12)
	if *campaignFlag > 0 {
		seeds = max(100, *campaignFlag/100)
	}
	for seed := range uint64(seeds) {
		a, b := play(t, Draw(seed)), play(t, Draw(seed))
		if a.Hash != b.Hash {
			t.Fatalf("seed %d: %x, then %x", seed, a.Hash, b.Hash)
		}
		if other, ok := seen[a.Hash]; ok {
			t.Fatalf("seeds %d and %d have one hash", seed, other)
		}
		seen[a.Hash] = seed
	}
	t.Logf("the same seed twice, the same hash: %d of %d", len(seen), seeds)
}

// quiet are options without faults: peers with one worker, links that lose nothing.
func quiet(w Workload, far time.Duration, policy steal.Policy, peers ...int) Options {
	_, work, span := measure(w)
	return Options{
		Seed: 1, Sites: SitesOf(peers...), Submitted: 1, Work: work, Span: span, Settle: 20 * time.Second, Policy: policy, Workload: w,
		Near: Link{Delay: 50 * time.Microsecond, Jitter: 20 * time.Microsecond},
		Far:  Link{Delay: far, Jitter: time.Microsecond, Rate: 10 << 20},
	}
}

// TestNearFirst compares, in virtual time, a grid of four sites far apart with the same peers in
// one site: cluster-aware stealing hides the distance, plain random stealing does not.
func TestNearFirst(t *testing.T) {
	t.Parallel()
	if slower > 1 {
		t.Skip("too slow with the race detector, and has nothing for it: one goroutine")
	}
	work := &Tree{Seed: 5, Depth: 9, Width: 6, Leaf: 10 * time.Millisecond}
	one := play(t, quiet(work, 0, steal.CRS, 32))
	crs := play(t, quiet(work, 100*time.Millisecond, steal.CRS, 8, 8, 8, 8))
	rs := play(t, quiet(work, 100*time.Millisecond, steal.RS, 8, 8, 8, 8))
	t.Logf("one site %v (busy %.3f), four with CRS %v (%.3f), with RS %v (%.3f)", one.Took, share(one), crs.Took, share(crs), rs.Took, share(rs))
	if share(one) < 0.97 {
		t.Errorf("32 peers of one site are busy %.3f of the time", share(one))
	}
	if float64(crs.Took) > 1.05*float64(one.Took) {
		t.Errorf("four sites take %v, one takes %v", crs.Took, one.Took)
	}
	if rs.Took < crs.Took {
		t.Errorf("random stealing takes %v, cluster-aware %v", rs.Took, crs.Took)
	}
	if crs.LentFar > crs.LentNear || crs.LentFar > rs.LentFar {
		t.Errorf("%d jobs went far and %d near, with plain random stealing %d went far", crs.LentFar, crs.LentNear, rs.LentFar)
	}
}

// share is the part of the workers' time that was spent in jobs.
func share(r Report) float64 { return float64(r.Busy) / float64(r.Took) / float64(r.Workers) }

func TestUTS(t *testing.T) {
	p := tree.Default
	for peers := 1; peers <= 64; peers *= 4 {
		r := play(t, quiet(NewUTS(p, 5*time.Millisecond, 100), 20*time.Millisecond, steal.CRS, (peers+1)/2, peers/2+1))
		if r.Jobs != 1732 {
			t.Errorf("%d peers executed %d jobs, the tree has 1732 nodes", peers, r.Jobs)
		}
	}
}

// TestIdleGridIsQuiet counts what a grid without a run says: heartbeats and digests.
func TestIdleGridIsQuiet(t *testing.T) {
	o := quiet(&Tree{Seed: 1, Depth: 1, Width: 1, Leaf: time.Millisecond}, time.Millisecond, steal.CRS, 4, 4)
	w := newWorld(o)
	w.who.asker = w.populate()
	asks := 0
	w.net.spoil = func(m *peer.Message) bool {
		if k := m.Body.Kind(); k >= steal.KindAsk && k <= steal.KindMissing {
			asks++
		}
		return true
	}
	w.play(3*time.Second, func() bool { return false })
	before := w.report.Messages
	w.play(13*time.Second, func() bool { return false })
	perPeer := float64(w.report.Messages-before) / 8 / 10
	t.Logf("%.1f messages a second from each of 8 peers", perPeer)
	if asks > 0 {
		t.Errorf("%d messages of stealing without a run", asks)
	}
	if perPeer < 1 {
		t.Errorf("an idle peer sends %.1f messages a second: it is not there", perPeer)
	}
	if perPeer > 45 {
		t.Errorf("an idle peer sends %.1f messages a second", perPeer)
	}
}

// TestSpoiltMessages spoils the protocol in ways that real code gets wrong, and demands that
// the checkers find each.
func TestSpoiltMessages(t *testing.T) {
	t.Parallel()
	if slower > 1 {
		t.Skip("too slow with the race detector, and has nothing for it: one goroutine")
	}
	for name, s := range map[string]struct {
		spoil func(*peer.Message) bool
		from  uint64 // a seed a little before one that has found it
	}{
		"nothing is ever missing": {nothingMissing, 19},
		"results never repeated":  {dropRepeats(), 10},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(2000) {
				o := Draw(s.from + seed)
				o.spoil = s.spoil
				if _, err := Run(o); err != nil {
					t.Logf("found after %d schedules from %d: %.200s", seed+1, s.from, err)
					return
				}
			}
			t.Error("not found in 2,000 schedules")
		})
	}
}

// nothingMissing lets every probe be answered as if all loans had arrived.
func nothingMissing(m *peer.Message) bool {
	if h, ok := m.Body.(steal.Missing); ok {
		h.Numbers = nil
		m.Body = h
	}
	return true
}

// dropRepeats lets every result travel once.
func dropRepeats() func(*peer.Message) bool {
	type once struct {
		run    steal.Instance
		number steal.LoanNo
		from   uint64
	}
	sent := map[once]bool{}
	return func(m *peer.Message) bool {
		r, ok := m.Body.(steal.Return)
		if !ok {
			return true
		}
		o := once{r.Run, r.Number, m.From.Random}
		again := sent[o]
		sent[o] = true
		return !again
	}
}
