package program

import (
	"encoding/json"
	"errors"
	"os"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/recording"
)

// TestBillsOfARun: what its recording has of each loss is what --json has, and when it was heard.
func TestBillsOfARun(t *testing.T) {
	f := newFeed(&console.Console{Name: "satin"}, nil)
	for _, peer := range []string{"b/1", "c/1", "b/1"} {
		f.event(satin.Event{Kind: satin.EventLost, Peer: peer, How: "kill"})
	}
	heard := map[time.Time]float64{}
	s, o := lossesOfRun()
	all := billsOf(s, o, func(peer string, n int) *float64 {
		at, known := f.lossAt(peer, n)
		if !known {
			return nil
		}
		heard[at] = 2
		seconds := heard[at]
		return &seconds
	})
	if len(all) != 5 || len(heard) == 0 {
		t.Fatalf("%d bills, %d heard", len(all), len(heard))
	}
	// the last others alone have seen
	for i, known := range []bool{true, false, true, false, false} {
		if (all[i].At != nil) != known {
			t.Errorf("%d: when %s was lost: %v", i, all[i].Peer, all[i].At)
		}
	}
	got, err := json.Marshal(all[0])
	const want = `{"t":2,"peer":"b/1","site":"","how":"kill","noticed_seconds":0.1,"restarted":2,"reused":14,"redone_seconds":0.4,"saved_seconds":0}`
	if err != nil || string(got) != want {
		t.Errorf("%s, wanted %s", got, want)
	}
}

// TestHowRunsEnd: each way has its word in a recording.
func TestHowRunsEnd(t *testing.T) {
	done := make(chan struct{})
	close(done)
	answered, _ := (&fake{done: done, answer: valued{8}}).watch()
	failed, _ := (&fake{done: done, err: errors.New("it failed")}).watch()
	late, _ := (&fake{done: make(chan struct{})}).watch()
	late.timeout = time.Nanosecond
	stopped, r := (&fake{done: make(chan struct{})}).watch()
	r.stop <- os.Interrupt
	for want, w := range map[string]*follower{
		recording.Answered: answered, recording.Failed: failed, recording.OutOfTime: late, recording.Interrupted: stopped,
	} {
		if o := w.follow(); o.how != want {
			t.Errorf("it ends %q, wanted %q", o.how, want)
		}
	}
}
