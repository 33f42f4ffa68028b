package gridsim

import (
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// lostAtHalfTime is a run of which all peers die at once in the middle.
func lostAtHalfTime(seed uint64, who int) Options {
	o := Directed(seed, "")
	o.CopyEvery, o.Disks, o.Sound = time.Second, true, true
	half := o.begin() + o.Work/time.Duration(o.workers())/2
	o.add(Fault{Kind: LoseAll, At: half, For: 2 * time.Second, N: who})
	return o
}

// TestOutlivesAll: all peers die at half time and start again. What was finished by then, but for
// the last round, is not done again.
func TestOutlivesAll(t *testing.T) {
	for seed := range uint64(6) {
		o := lostAtHalfTime(seed, 0)
		r, err := Run(o)
		if err != nil {
			t.Fatal(err)
		}
		most := time.Duration(o.workers()) * (o.CopyEvery + 4*time.Second/2)
		t.Logf("of %v %v was done twice, %d results read, %d used", o.Work, r.Redone, r.Recalled, r.Stored)
		if r.LostAll != 1 || r.Stored == 0 || r.Redone > most {
			t.Errorf("seed %d: all were lost %d times, %d results were used, %v done twice, %v at most may be", seed, r.LostAll, r.Stored, r.Redone, most)
		}
	}
}

// TestOutlivesByOne: one of them starts again, with its folder or with another's.
func TestOutlivesByOne(t *testing.T) {
	used := uint64(0)
	for seed := range uint64(6) {
		r, err := Run(lostAtHalfTime(seed, 4+2*int(seed%2)))
		if err != nil {
			t.Fatal(err)
		}
		used += r.Stored
	}
	if used == 0 {
		t.Error("nothing of what they had stored was used")
	}
}

// TestKeptRunOutlivesAll: its client has left it to the grid and died; then all peers die, and are
// started again. It goes on by itself from what they had stored, and is answered to who comes for
// it.
func TestKeptRunOutlivesAll(t *testing.T) {
	for seed := range uint64(6) {
		o := lostAtHalfTime(seed, 0)
		o.Submitted = 0
		o.add(Fault{Kind: Deposit, At: o.begin(), For: o.Work/time.Duration(o.workers())/2 + 8*time.Second})
		r, err := Run(o)
		if err != nil {
			t.Fatal(err)
		}
		if r.LostAll != 1 || r.Fired[Deposit] != 1 || r.Stored == 0 || r.Redone > o.Work/4 {
			t.Errorf("seed %d: %d kept, all lost %d times, %d results were used, %v done twice", seed, r.Fired[Deposit], r.LostAll, r.Stored, r.Redone)
		}
	}
}

// TestDiskTears: what is on its way when a process dies is there whole, or not at all, and nothing
// that was to follow it is.
func TestDiskTears(t *testing.T) {
	there := 0
	for seed := range uint64(64) {
		d := newDisk(rand.New(rand.NewPCG(seed, 1)), 0, &Tree{Depth: 1})
		run := steal.Key{1}
		for n := range 2 {
			s := peer.Save{Place: run, Best: steal.StampOf([]byte{byte(n)})}
			d.orders = append(d.orders, diskWork{do: func() { d.save(s, []byte{byte(n)}, 0) }})
		}
		d.stops(false)
		if x := d.runs[run]; x != nil {
			there++
			if len(d.orders) > 0 || string(x.head) != "\x00" && x.head != nil || string(x.best.Value) != "\x00" {
				t.Errorf("seed %d: there is %+v", seed, x)
			}
		}
	}
	if there < 16 || there > 48 {
		t.Errorf("of 64 batches on their way %d are there", there)
	}
}
