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
			f.Want(credits[i], false, true)
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
			f.Want(credits[i], false, true)
			total += credits[i].share
		}
		var all time.Duration
		for all < 10*time.Minute {
			least := 0
			f.Settle()
			for i, c := range credits {
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
	f.Want(old, false, true)
	f.Charge(old, time.Hour)
	young := f.NewCredit(100)
	f.Want(young, false, true)
	if young.Displaces(old) {
		t.Error("a run that has just come is ahead of its turn")
	}
	f.Charge(old, 2*FairSlice)
	if !young.Displaces(old) || old.Displaces(young) {
		t.Error("a run that has just come does not get its turn")
	}
	f.Want(young, false, false)

	had := map[bool]time.Duration{}
	var all time.Duration
	for next := f.NewCredit(100); all < time.Minute; {
		f.Want(next, false, true)
		d, mine := time.Millisecond, !next.Before(old)
		if had[mine] += d; mine {
			f.Charge(old, d)
		} else {
			f.Charge(next, d)
			f.Want(next, false, false)
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
	f.Want(narrow, true, false)
	f.Want(wide, true, true)
	for range 1000 {
		f.Charge(wide, time.Second)
		f.Settle()
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

// TestFairDebtIsBounded: who has had all workers for long, since its jobs last, has its turn again
// when those that waited have had a minute; and who comes meanwhile is behind neither.
func TestFairDebtIsBounded(t *testing.T) {
	var f Fair
	long, short := f.NewCredit(100), f.NewCredit(100)
	f.Want(long, true, true)
	f.Want(short, false, true)
	f.Charge(long, 16*time.Hour)
	f.Settle()
	had := time.Duration(0)
	for ; short.Before(long); had += time.Second {
		f.Charge(short, time.Second)
		f.Settle()
		young := f.NewCredit(100)
		if f.Want(young, false, true); short.Before(young) || long.Before(young) {
			t.Fatalf("who comes after %v is behind those that are here", had)
		}
		f.Want(young, false, false)
	}
	if had < fairDebt || had > fairDebt+2*time.Second {
		t.Errorf("it has no turn for %v", had)
	}
}

// TestFairShareChanges: what a run has had, and is owed, stays when its share changes.
func TestFairShareChanges(t *testing.T) {
	var f Fair
	a, b := f.NewCredit(100), f.NewCredit(100)
	f.Want(a, true, true)
	f.Want(b, false, true)
	f.Charge(a, time.Minute)
	f.Share(b, 200)
	f.Settle()
	var had time.Duration
	for ; b.Before(a); had += time.Second {
		f.Charge(b, time.Second)
	}
	if had < 2*time.Minute || had > 2*time.Minute+2*time.Second {
		t.Errorf("with twice the share of one that has had a minute it has had %v", had)
	}
}
