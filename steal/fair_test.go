package steal

import (
	"math/rand/v2"
	"testing"
	"time"
)

// TestFairDivides: of any shares, and jobs of any length, each run that wants the worker all the
// time has its part of it, but for a slice and the longest job.
func TestFairDivides(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var f Fair
		n := 2 + rng.IntN(6)
		credits, had, shares := make([]*Credit, n), make([]time.Duration, n), make([]float64, n)
		longest, total := time.Duration(0), 0.0
		for i := range n {
			share := uint16(1 + rng.IntN(300))
			credits[i] = f.NewCredit(share)
			f.Want(credits[i], true)
			shares[i] = float64(share)
			total += shares[i]
		}
		var all time.Duration
		for all < 20*time.Second {
			least := 0
			for i := range n {
				if credits[i].Before(credits[least]) {
					least = i
				}
			}
			d := time.Duration(1 + rng.Int64N(int64(time.Millisecond)<<(least%7)))
			longest = max(longest, d)
			f.Charge(credits[least], d)
			had[least] += d
			all += d
		}
		for i := range n {
			if part := time.Duration(float64(all) * shares[i] / total); had[i] < part-2*longest || had[i] > part+2*longest {
				t.Errorf("seed %d: a share of %v in %v had %v of %v, its part is %v", seed, shares[i], total, had[i], all, part)
			}
		}
	}
}

// TestFairStarvesNobody: also of jobs that are long beside what may be owed, each run has its part.
func TestFairStarvesNobody(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var f Fair
		n := 2 + rng.IntN(14)
		credits, had, total := make([]*Credit, n), make([]time.Duration, n), 0.0
		for i := range n {
			credits[i] = f.NewCredit(uint16(50 << rng.IntN(4)))
			f.Want(credits[i], true)
			total += credits[i].share
		}
		var all time.Duration
		for all < 10*time.Minute {
			least := 0
			for i, c := range credits {
				f.Settle(c, true)
				if c.Before(credits[least]) {
					least = i
				}
			}
			d := time.Second + time.Duration(rng.Int64N(int64(time.Second)))
			f.Charge(credits[least], d)
			had[least] += d
			all += d
		}
		for i, c := range credits {
			if part := time.Duration(float64(all) * c.share / total); had[i] < part*2/3-4*time.Second {
				t.Errorf("seed %d: a share of %v in %v had %v of %v, its part is %v", seed, c.share, total, had[i], all, part)
			}
		}
	}
}

// TestFairOwesNothingForTheTimeBefore: who comes late starts as everybody does, and who comes again
// and again keeps nobody from its part.
func TestFairOwesNothingForTheTimeBefore(t *testing.T) {
	var f Fair
	old := f.NewCredit(100)
	f.Want(old, true)
	f.Charge(old, time.Hour)
	young := f.NewCredit(100)
	f.Want(young, true)
	if young.Displaces(old) {
		t.Error("a run that has just come is ahead of its turn")
	}
	f.Charge(old, 2*FairSlice)
	if !young.Displaces(old) || old.Displaces(young) {
		t.Error("a run that has just come does not get its turn")
	}
	f.Want(young, false)

	had := map[bool]time.Duration{}
	var all time.Duration
	for next := f.NewCredit(100); all < time.Minute; {
		f.Want(next, true)
		d, mine := time.Millisecond, !next.Before(old)
		if had[mine] += d; mine {
			f.Charge(old, d)
		} else {
			f.Charge(next, d)
			f.Want(next, false)
			next = f.NewCredit(100) // each lives for a millisecond
		}
		all += d
	}
	if had[true] < all*2/5 {
		t.Errorf("of %v the old run had %v beside a stream of new ones", all, had[true])
	}
}

// TestFairForgets: a run that could not use its part for long has all workers for a moment only.
func TestFairForgets(t *testing.T) {
	var f Fair
	narrow, wide := f.NewCredit(100), f.NewCredit(100)
	f.Want(narrow, true)
	f.Want(wide, true)
	for range 1000 {
		f.Charge(wide, time.Second)
		f.Settle(narrow, false)
		f.Settle(wide, true)
	}
	var alone time.Duration
	for narrow.Before(wide) {
		f.Charge(narrow, time.Millisecond)
		alone += time.Millisecond
	}
	if alone > 4*fairCredit {
		t.Errorf("afterwards it has all workers for %v", alone)
	}
}
