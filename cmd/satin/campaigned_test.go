package main

import (
	"fmt"
	"os"
	"strconv"
	"sync/atomic"
	"testing"
	"time"
)

// campaignSeedVariable draws another campaign. What the machine does meanwhile is not drawn.
const campaignSeedVariable = "SATIN_CAMPAIGN_SEED"

// lossesVariable has tests run that take long, or measure: nothing is to run beside them.
const lossesVariable = "SATIN_LOSSES"

func needsChaos(t *testing.T) {
	t.Helper()
	if os.Getenv(lossesVariable) == "" {
		t.Skip(lossesVariable + " is not set; .ci/steps/chaos.sh sets it")
	}
}

// campaignLength is how long a campaign goes on, as a variable says; a test of which it
// says nothing is skipped.
func campaignLength(t *testing.T, variable string) time.Duration {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		t.Skip(variable + " is not set; .ci/steps/chaos.sh sets it")
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return length
}

// overtime is for how many times its length a campaign may go on. One that is over by then and has
// not done its least work is red.
const overtime = 3

// goesOn tells whether a campaign is not over: it goes on for its length, and while it lacks some
// of its least work, which takes a slow or busy machine longer.
func goesOn(took, length time.Duration, lacks func() []string) bool {
	return took < length || took < overtime*length && len(lacks()) > 0
}

func TestCampaignsGoOn(t *testing.T) {
	for _, c := range []struct {
		took    time.Duration
		lacks   []string
		andThen bool
	}{
		{59 * time.Second, nil, true},
		{60 * time.Second, nil, false},
		{60 * time.Second, []string{"a run"}, true},
		{179 * time.Second, []string{"a run"}, true},
		{180 * time.Second, []string{"a run"}, false},
	} {
		if goesOn(c.took, time.Minute, func() []string { return c.lacks }) != c.andThen {
			t.Errorf("after %v, without %q: it is wrong whether it goes on", c.took, c.lacks)
		}
	}
}

// least are the sentences of what a campaign lacks.
type least []string

// of adds that there is too little of something.
func (l *least) of(what string, n, least int) {
	if n < least {
		*l = append(*l, fmt.Sprintf("%d %s: %d are the least", n, what, least))
	}
}

// each adds which of some things never happened.
func (l *least) each(names []string, times map[string]int) {
	for _, name := range names {
		if times[name] == 0 {
			*l = append(*l, name+" never happened")
		}
	}
}

// total is how often anything happened.
func total(times map[string]int) (n int) {
	for _, k := range times {
		n += k
	}
	return n
}

// pulseEvery is how long a pulse sleeps.
const pulseEvery = 50 * time.Millisecond

// pulse sleeps again and again, and sums how much too late it wakes: for so long others had the
// machine, or there was none. What is measured in seconds is judged without these.
type pulse struct{ late atomic.Int64 }

// newPulse begins one, which ends with the test.
func newPulse(t *testing.T) *pulse {
	p, ended := &pulse{}, make(chan struct{})
	go func() {
		defer close(ended)
		for t.Context().Err() == nil {
			began := time.Now()
			time.Sleep(pulseEvery)
			p.late.Add(int64(time.Since(began) - pulseEvery))
		}
	}()
	t.Cleanup(func() { <-ended })
	return p
}

// watch tells how long ago it was begun, and how much of that was overslept.
type watch func() (took, overslept time.Duration)

// watch begins one.
func (p *pulse) watch() watch {
	began, before := time.Now(), p.late.Load()
	return func() (took, overslept time.Duration) {
		took = time.Since(began)
		return took, min(took, time.Duration(p.late.Load()-before))
	}
}

// campaignSeed is what a campaign is drawn from: another each time, and told, if
// campaignSeedVariable says nothing.
func campaignSeed(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(campaignSeedVariable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s=%d", campaignSeedVariable, seed)
	return seed
}
