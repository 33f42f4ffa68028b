package runs

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
)

// told are the lines of a run's story from one on, without their times.
func told(t *testing.T, c *Chronicle, word string, from int) (lines []string, s Story) {
	t.Helper()
	s, err := c.Story(word, from)
	if err != nil {
		t.Fatal(err)
	}
	for _, h := range s.Lines {
		_, text, _ := strings.Cut(h.String(), " ")
		lines = append(lines, text)
	}
	return lines, s
}

// TestStory is that of a run on a grid whose master dies, looked at from outside.
func TestStory(t *testing.T) {
	var c Chronicle
	at := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	second := func() time.Time { at = at.Add(time.Second); return at }
	joins := func(peer string) { c.event(satin.Event{Kind: satin.EventJoined, Peer: peer, Site: "a"}, second()) }
	lost := func(peer, how string) { c.event(satin.Event{Kind: satin.EventLost, Peer: peer, How: how}, second()) }
	r := numbered("\xab")[0]
	r.Label, r.By, r.Age, r.State, r.Master, r.Share = "fib 90", "ann@delft", 3*time.Second, satin.RunComputing, "a/1", 100
	looks := func() { c.look([]satin.RunStats{r}, second()) }

	// Who is there before the run is no part of its story.
	joins("a/1")
	joins("a/2")
	looks()
	want := []string{"submitted: fib 90, by ann@delft", "a/1 is master"}
	lines, s := told(t, &c, "ab", 0)
	if !slices.Equal(lines, want) || s.Over || s.Run != r.ID.String() {
		t.Errorf("it begins with %q", lines)
	}
	if began := s.Lines[0].At; !began.Equal(at.Add(-3 * time.Second)) {
		t.Errorf("it was submitted at %v, 3 s before %v", began, at)
	}

	// One joins, and is told of again, as when its site is heard of; the master dies; another
	// takes over; somebody gives the run another share. Two looks without news tell nothing.
	joins("b/1")
	joins("b/1")
	lost("a/1", "kill")
	r.State = satin.RunWaiting
	looks()
	r.State, r.Master = satin.RunComputing, "a/2"
	looks()
	r.Share = 300
	looks()
	looks()
	lost("b/1", "leave")
	lost("b/2", "rejoin") // one that nobody had heard of
	lines, s = told(t, &c, "ab", s.Next)
	if want := []string{
		"b/1 joined", "a/1 lost (kill)", "its master is gone; it waits for another", "a/2 is master: its root begins again there",
		"its share is 300 now, and was 100", "b/1 left", "b/2 lost (silent)",
	}; !slices.Equal(lines, want) {
		t.Errorf("it goes on with %q", lines)
	}

	// The answer is there, and its master, the only one that has it, dies. In the end nobody
	// wants the run any more. What peers do then does not concern it.
	r.State = satin.RunAnswered
	looks()
	lines, s = told(t, &c, "ab", s.Next)
	if !slices.Equal(lines, []string{"answered"}) || !s.Over {
		t.Errorf("%q, over: %v", lines, s.Over)
	}
	joins("c/1")
	r.State = satin.RunComputing
	looks()
	c.look(nil, second())
	joins("c/2") // it may be told yet how it has ended
	for range int(toldAfter / time.Second) {
		c.look(nil, second())
	}
	joins("c/3")
	lines, s = told(t, &c, "ab", s.Next)
	if want := []string{
		"its answer is gone with its master; it is computed again", "c/2 joined", "it is not on any more, and no answer of it is kept",
	}; !slices.Equal(lines, want) || !s.Over {
		t.Errorf("%q, over: %v", lines, s.Over)
	}
	if lines, s = told(t, &c, "ab", s.Next); len(lines) > 0 || !s.Over {
		t.Errorf("after its end there is %q", lines)
	}
	var missing *NotFound
	if _, err := c.Story("cd", 0); !errors.As(err, &missing) {
		t.Errorf("a run without a story: %v", err)
	}
}

// TestBestsAreTold: a better one is a line, which says of itself what it can; one that was told of
// is none, nor is one of a run that is over.
func TestBestsAreTold(t *testing.T) {
	var c Chronicle
	r := numbered("\xab")[0]
	r.State, r.Share = satin.RunComputing, 100
	asked := 0
	c.best = func(r satin.RunStats) string {
		if asked++; r.Best[0] == 3 {
			return ""
		}
		return fmt.Sprintf("best %d", r.Best[0])
	}
	looks := func() { c.Look([]satin.RunStats{r}) }
	looks()
	for _, digest := range []byte{1, 1, 2, 3} {
		r.Best[0] = digest
		looks()
	}
	looks()
	r.State, r.Best[0] = satin.RunAnswered, 4
	looks()
	r.Best[0] = 5
	looks()
	lines, _ := told(t, &c, "ab", 0)
	if want := []string{"submitted: t.Task", "best 1", "best 2", "a better best", "best 4", "answered"}; !slices.Equal(lines, want) || asked != 4 {
		t.Errorf("%q, asked %d times", lines, asked)
	}
}

// TestWhatWasStoredIsTold: the peer that goes on with it may tell so before anybody has looked at
// the run.
func TestWhatWasStoredIsTold(t *testing.T) {
	var c Chronicle
	r := numbered("\xab")[0]
	r.State = satin.RunComputing
	resumes := func(id satin.RunID, results int) {
		c.Event(satin.Event{Kind: satin.EventResumed, Peer: "a/1", Run: id, Results: results, Saved: 1500 * time.Millisecond})
	}
	resumes(r.ID, 1)
	resumes(numbered("\xcd")[0].ID, 9)
	c.Look([]satin.RunStats{r})
	resumes(r.ID, 2)
	lines, _ := told(t, &c, "ab", 0)
	if want := []string{
		"submitted: t.Task", "a/1 goes on with what it had stored: 1 result, of 1.5 s of work", "a/1 goes on with what it had stored: 2 results, of 1.5 s of work",
	}; !slices.Equal(lines, want) || len(c.early) != 1 {
		t.Errorf("%q; %v are early", lines, c.early)
	}
	for range 2 * earlyMax {
		resumes(numbered("\xcd")[0].ID, 9)
	}
	if len(c.early) != earlyMax {
		t.Errorf("%d are early", len(c.early))
	}
}

// TestAHeldRootIsTold: a peer that starts says that the root of a run waits there, and why.
func TestAHeldRootIsTold(t *testing.T) {
	var c Chronicle
	r := numbered("\xab")[0]
	r.State = satin.RunWaiting
	c.Event(satin.Event{Kind: satin.EventHeld, Peer: "a/1", Run: r.ID, Ends: 5, Wait: 2 * time.Minute})
	c.Look([]satin.RunStats{r})
	lines, s := told(t, &c, "ab", 0)
	if want := []string{
		"submitted: t.Task", "its root waits for 2m or more, unless another peer comes: 5 lives of a/1 have ended with it, and nothing was finished",
		"its master is gone; it waits for another",
	}; !slices.Equal(lines, want) || s.Lines[1].Event != "held" {
		t.Errorf("%q", lines)
	}
}

// TestStoryOfAnAnswer: a run that has its answer when it is heard of first has a story, too.
func TestStoryOfAnAnswer(t *testing.T) {
	var c Chronicle
	r := numbered("\xab")[0]
	r.State, r.Master, r.Share = satin.RunAnswered, "a/1", 100
	r.Age, r.Keep, r.Kept = 9*time.Minute, time.Hour, 55*time.Minute
	now := time.Date(2026, 1, 2, 3, 10, 0, 0, time.UTC)
	c.look([]satin.RunStats{r}, now)
	lines, s := told(t, &c, "ab", 0)
	if !slices.Equal(lines, []string{"submitted: t.Task", "answered"}) || !s.Over {
		t.Errorf("%q, over: %v", lines, s.Over)
	}
	if at := s.Lines[1].At; !at.Equal(now.Add(-5 * time.Minute)) {
		t.Errorf("it was answered at %v, 5 min before %v", at, now)
	}
	bad := numbered("\xcd")[0]
	bad.State, bad.Kept = satin.RunFailed, time.Hour
	c.look([]satin.RunStats{r, bad}, now)
	if lines, s := told(t, &c, "cd", 0); len(lines) != 2 || !strings.HasPrefix(lines[1], "failed: ") || s.Lines[1].Event != "failed" || !s.Over {
		t.Errorf("of one that failed: %q, over: %v", lines, s.Over)
	}
}

// TestStoryOfADisplacedAnswer ends with what became of it, and once.
func TestStoryOfADisplacedAnswer(t *testing.T) {
	var c Chronicle
	r := numbered("\xab")[0]
	r.State, r.Kept = satin.RunAnswered, time.Hour
	now := time.Date(2026, 1, 2, 3, 10, 0, 0, time.UTC)
	c.look([]satin.RunStats{r}, now)
	for range 2 {
		c.event(satin.Event{Kind: satin.EventEnded, Run: r.ID, How: "displaced"}, now)
		c.event(satin.Event{Kind: satin.EventEnded, Run: satin.RunID{1}, How: "cancelled"}, now) // unknown
	}
	c.look(nil, now)
	if lines, _ := told(t, &c, "ab", 0); len(lines) != 3 || lines[2] != "its answer is kept no longer: others needed its place" {
		t.Errorf("%q", lines)
	}
}

// TestStoryTellsHowItEnded: as soon as that is told, and nothing after it, though the run is in a
// list that was made before.
func TestStoryTellsHowItEnded(t *testing.T) {
	for how, want := range map[string]string{
		"answered": "it is answered, and its answer is not kept", "failed": "it failed: its answer is an error, which is not kept",
		"cancelled": "it was cancelled", "withdrawn": "it was given up: nobody waits for it any more",
		"expired": "its answer was kept for long enough",
	} {
		var c Chronicle
		r := numbered("\xab")[0]
		r.State = satin.RunComputing
		now := time.Date(2026, 1, 2, 3, 10, 0, 0, time.UTC)
		c.look([]satin.RunStats{r}, now)
		c.look(nil, now)
		for range 2 {
			c.event(satin.Event{Kind: satin.EventEnded, Run: r.ID, How: how}, now)
		}
		r.Share = 7
		c.look([]satin.RunStats{r}, now)
		c.look(nil, now.Add(time.Hour))
		if lines, s := told(t, &c, "ab", 0); len(lines) != 2 || lines[1] != want || !s.Over {
			t.Errorf("%s: %q, over: %v", how, lines, s.Over)
		}
		// others wait for it, which was not known here
		c.look([]satin.RunStats{r}, now.Add(time.Hour))
		c.event(satin.Event{Kind: satin.EventEnded, Run: r.ID, How: "cancelled"}, now.Add(time.Hour))
		if lines, s := told(t, &c, "ab", 0); len(lines) != 3 || lines[2] != "it was cancelled" || !s.Over {
			t.Errorf("%s, and it goes on: %q, over: %v", how, lines, s.Over)
		}
	}
}

// TestChronicleIsBounded: of a long story the oldest lines go, of many stories those that are over.
func TestChronicleIsBounded(t *testing.T) {
	var c Chronicle
	now := time.Now()
	r := numbered("\xab")[0]
	r.State = satin.RunComputing
	c.look([]satin.RunStats{r}, now)
	for n := range 2 * storyMax {
		c.event(satin.Event{Kind: satin.EventLost, Peer: fmt.Sprint(n), How: "kill"}, now)
	}
	lines, s := told(t, &c, "ab", 0)
	if last := fmt.Sprintf("%d lost (kill)", 2*storyMax-1); len(lines) > storyMax || len(lines) < storyMax*3/4 || lines[len(lines)-1] != last {
		t.Errorf("%d lines, the last is %q", len(lines), lines[len(lines)-1])
	}
	if more, _ := told(t, &c, "ab", s.Next-1); len(more) != 1 {
		t.Errorf("from the last line on there are %q", more)
	}
	for n := range storiesMax {
		other := numbered(fmt.Sprintf("\xcd%c%c", n>>8, n))[0]
		other.State = satin.RunAnswered
		c.look([]satin.RunStats{r, other}, now)
	}
	if len(c.stories) != storiesMax {
		t.Errorf("there are %d stories", len(c.stories))
	}
	told(t, &c, "ab", 0) // which is not over
}
