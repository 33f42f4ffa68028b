package recording

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/observe"
)

// lossy is a look at which some are gone, as a/1 tells, which has put back so many jobs by then,
// used so many results, and done so many seconds of work again.
func lossy(second int, gone []across.Absentee, again, reused uint64, redone float64, names ...string) Look {
	l := at(second, names...)
	l.Hosts[0].Gone = gone
	is := &l.Peers[0].Totals
	is.Again, is.Reused, is.Repairing = again, reused, redone
	return l
}

// billed are the bills of a report, a line each.
func billed(r *Report) string {
	var all strings.Builder
	for _, b := range r.Bills {
		at := "?"
		if b.At != nil {
			at = fmt.Sprint(*b.At)
		}
		count := func(n uint64) string { return fmt.Sprint(n) }
		seconds := func(n float64) string { return fmt.Sprint(n) }
		fmt.Fprintf(&all, "%s %s of %s %s: noticed %s, restarted %s, reused %s, redone %s, saved %s, by %q with %q\n", at, b.Peer, b.Site, b.Went(),
			known(b.Noticed, seconds), known(b.Restarted, count), known(b.Reused, count), known(b.Redone, seconds), known(b.Saved, seconds), b.By, b.With)
	}
	return all.String()
}

// threeGone are looks at which one was gone before, one is killed, two are gone at once, and one
// leaves.
func threeGone() []Look {
	gone := func(peer, how string, at, noticed float64) across.Absentee {
		return across.Absentee{Peer: peer, ID: "id-" + peer, Site: peer[:1], How: how, At: 10 + at, Noticed: noticed}
	}
	before, b1 := gone("b/9", "kill", -5, 0), gone("b/1", "kill", 1.5, 0.25)
	c1, c2 := gone("c/1", "silent", 20.5, 3.5), gone("c/2", "silent", 20.75, 3.5)
	d1 := gone("d/1", "leave", 40.5, 0)
	return []Look{
		lossy(0, []across.Absentee{before}, 7, 7, 7, "a/1", "b/1", "c/1", "c/2", "d/1"),
		lossy(2, []across.Absentee{b1, before}, 10, 7, 7, "a/1", "c/1", "c/2", "d/1"),
		lossy(3, []across.Absentee{b1, before}, 10, 8, 7.5, "a/1", "c/1", "c/2", "d/1"),
		// they are on the list for a look yet
		lossy(21, []across.Absentee{c2, c1, b1}, 12, 8, 7.5, "a/1", "c/1", "c/2", "d/1"),
		lossy(22, []across.Absentee{c2, c1, b1}, 12, 9, 8.5, "a/1", "d/1"),
		// and what is done again still goes to the last that were lost
		lossy(41, []across.Absentee{d1, c2, c1}, 12, 9, 10.5, "a/1"),
	}
}

// TestBills: each loss has one, with when and how it was, and what was put back, found and done
// again until the next. What was before anybody looked has none.
func TestBills(t *testing.T) {
	const want = `1.5 b/1 of b was killed: noticed 0.25, restarted 3, reused 1, redone 0.5, saved unknown, by "peers" with ""
20.5 c/1 of c fell silent: noticed 3.5, restarted 2, reused 1, redone 2.5, saved unknown, by "peers" with ""
20.75 c/2 of c fell silent: noticed 3.5, restarted unknown, reused unknown, redone unknown, saved unknown, by "" with "c/1"
40.5 d/1 of d left: noticed unknown, restarted 0, reused 0, redone 0, saved unknown, by "peers" with ""
`
	r := summed(threeGone()...)
	if got := billed(r); got != want {
		t.Errorf("the bills are\n%s\nwanted\n%s", got, want)
	}
	if got := r.happened(); !strings.Contains(got, "0:02 b/1 is gone (kill)") || !strings.Contains(got, "0:22 c/1 and c/2 are gone (silent)") || !strings.Contains(got, "0:41 d/1 has left") {
		t.Errorf("what happened:\n%s", got)
	}
}

// TestBillsWithoutHosts: where hosts do not tell who is gone, as those of builds before, the list
// of members does, and a host that tells later adds how.
func TestBillsWithoutHosts(t *testing.T) {
	late := across.Absentee{Peer: "b/1", ID: "id-b/1", Site: "b", How: "kick", At: 12, Noticed: 1}
	r := summed(at(0, "a/1", "b/1"), at(2, "a/1"), lossy(3, []across.Absentee{late}, 0, 0, 0, "a/1"))
	const want = `2 b/1 of b was kicked: noticed 1, restarted 0, reused 0, redone 0, saved unknown, by "peers" with ""` + "\n"
	if got := billed(r); got != want {
		t.Errorf("the bills are\n%s\nwanted\n%s", got, want)
	}
	if got := billed(summed(at(0, "a/1", "b/1"), at(2, "a/1"))); !strings.Contains(got, "b/1 of b is gone, how is unknown: noticed unknown") {
		t.Errorf("where nobody tells: %s", got)
	}
}

// TestBillsAreBounded: the latest are kept, and what they cost.
func TestBillsAreBounded(t *testing.T) {
	s := NewSummary(Preamble{})
	s.Add(at(0, "a/1"))
	for n := range billsMax + 5 {
		s.Add(lossy(1+n, []across.Absentee{{Peer: fmt.Sprint(n), ID: fmt.Sprint(n), Site: "b", How: "kill", At: 11 + float64(n)}}, uint64(n), 0, 0, "a/1"))
	}
	r := s.Report()
	if last := r.Bills[len(r.Bills)-1]; len(r.Bills) != billsMax || last.Peer != fmt.Sprint(billsMax+4) || *last.Restarted != 1 {
		t.Errorf("%d bills, the last %+v", len(r.Bills), last)
	}
	if got := len(r.BillsTable().Lines); got != billsShown {
		t.Errorf("%d are shown", got)
	}
}

// closed is a report of looks and how they ended.
func closed(t *testing.T, whole bool, looks []Look, finales ...Finale) *Report {
	t.Helper()
	var b bytes.Buffer
	w := NewRecorder(&b, began, time.Second)
	for _, l := range looks {
		if err := w.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	last := looks[len(looks)-1].At
	for _, f := range finales {
		if err := w.End(last, f); err != nil {
			t.Fatal(err)
		}
	}
	if whole {
		if err := w.Close(last); err != nil {
			t.Fatal(err)
		}
	}
	r, err := Open(&b)
	if err != nil {
		t.Fatal(err)
	}
	report, err := Tell(r)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// TestEndings: what became of a run is told as far as the recording has it, and never that it is
// over where it was interrupted.
func TestEndings(t *testing.T) {
	gone := at(2, "a/1")
	gone.Runs = nil
	half := at(1, "a/1")
	half.Runs[0].Progress = 0.43
	done := at(2, "a/1")
	done.Runs[0].State = "answered"
	// told is a look at which hosts tell how it has ended, or looks after it is gone
	told := func(last Look, hows ...string) Look {
		last.Hosts = slices.Clone(last.Hosts)
		for n, how := range hows {
			last.Hosts = append(last.Hosts, across.Activity{By: fmt.Sprint("h", n), Ended: []across.Conclusion{{Run: "another", How: "cancelled"}, {Run: "0123456789", How: how}}})
		}
		return last
	}
	late := told(at(3, "a/1"), "withdrawn")
	late.Runs = nil
	const name = "nqueens 17 (01234567) "
	f := func(how, why string) Finale { return Finale{"0123456789", "nqueens", "17", how, why, 2.5, nil} }
	for what, c := range map[string]struct {
		last   Look
		end    []Finale
		killed bool
		want   string
	}{
		"it is on at the end": {half, nil, false, name + "is computing when the recording ends, 43 % done."},
		"the recorder is killed": {half, nil, true, "The recording ends after 1.0 s, and not by its recorder's will: that was killed, or its machine. What came after is not known.; " +
			name + "is computing when the recording ends, 43 % done."},
		"it is seen no more": {gone, nil, false, name + "was not on any more at 0:02, 43 % done: answered, cancelled or given up, the recording does not tell."},
		"it was answered":    {told(gone, "answered"), nil, false, ""},
		"with an error":      {told(gone, "answered", "failed"), nil, false, name + "failed."},
		"cancelled":          {told(gone, "cancelled", "cancelled"), nil, false, name + "was cancelled, 43 % done."},
		"hosts differ":       {told(gone, "withdrawn", "answered", "cancelled"), nil, false, ""},
		"nobody waits":       {told(gone, "withdrawn"), nil, false, name + "was given up, nobody waited for it any more, 43 % done."},
		"in other words":     {told(gone, "done"), nil, false, name + "was not on any more at 0:02, 43 % done: answered, cancelled or given up, the recording does not tell."},
		"known by both":      {told(gone, "answered"), []Finale{f(Interrupted, "")}, false, name + "was interrupted after 2.5 s, 43 % done."},
		"it has its answer":  {done, nil, false, ""},
		"interrupted":        {gone, []Finale{f(Interrupted, "")}, false, name + "was interrupted after 2.5 s, 43 % done."},
		"out of time":        {gone, []Finale{f(OutOfTime, "")}, false, name + "was out of time after 2.5 s, 43 % done."},
		"failed":             {gone, []Finale{f(Failed, "a\n\x1b[2Jb")}, false, name + "failed after 2.5 s: a  [2Jb."},
		"left":               {half, []Finale{f(GoesOn, "")}, false, name + "goes on, and who recorded it has left it after 2.5 s, 43 % done."},
		"answered":           {gone, []Finale{f(Answered, "")}, false, ""},
		"never seen":         {gone, []Finale{f(Answered, ""), {"", "tsp", "x", Interrupted, "", 0.1, nil}}, false, "tsp x was interrupted after 0.1 s."},
	} {
		first := at(0, "a/1")
		r := closed(t, !c.killed, []Look{first, half, c.last}, c.end...)
		if got := strings.Join(r.Endings(), "; "); got != c.want {
			t.Errorf("%s: %q, wanted %q", what, got, c.want)
		}
		if got := r.happened(); strings.Contains(got, "over") || len(c.end) > 0 && strings.Contains(got, notOn) {
			t.Errorf("%s: what happened:\n%s", what, got)
		}
		if got := r.happened(); strings.Count(got, name)-strings.Count(got, "is on; its master") > 1 {
			t.Errorf("%s: it ended more than once:\n%s", what, got)
		}
	}
	// a host may tell a look later
	r := closed(t, true, []Look{at(0, "a/1"), gone, late})
	if got := r.happened(); !strings.Contains(got, "0:02 "+name+"was given up") || strings.Contains(got, notOn) || r.Runs[0].State != givenUp {
		t.Errorf("told late: %s\n%s", r.Runs[0].State, got)
	}
}

// TestWhoWaitedKnowsBest: its bills take the place of those that peers' totals give, and what they
// do not know is unknown.
func TestWhoWaitedKnowsBest(t *testing.T) {
	seconds, jobs := func(n float64) *float64 { return &n }, func(n uint64) *uint64 { return &n }
	bill := func(at *float64, peer, how string) Bill {
		return Bill{At: at, Peer: peer, Site: peer[:1], How: how, Noticed: seconds(0.1), Restarted: jobs(4), Reused: jobs(5), Redone: seconds(6), Saved: seconds(7)}
	}
	r := closed(t, true, threeGone(), Finale{Run: "0123456789", How: Answered, Seconds: 41, Losses: []Bill{
		bill(seconds(1.4), "b/1", "cut"), bill(seconds(20.4), "c/1", "kill"), bill(nil, "e/1", "silent"),
	}})
	const figures = `noticed 0.1, restarted 4, reused 5, redone 6, saved 7, by "run" with ""` + "\n"
	const want = `1.5 b/1 of b was cut off: ` + figures + `20.5 c/1 of c was killed: ` + figures +
		`20.75 c/2 of c fell silent: noticed 3.5, restarted unknown, reused unknown, redone unknown, saved unknown, by "" with ""
40.5 d/1 of d left: noticed unknown, restarted 0, reused 0, redone 0, saved unknown, by "peers" with ""
? e/1 of e fell silent: ` + figures
	if got := billed(r); got != want {
		t.Errorf("the bills are\n%s\nwanted\n%s", got, want)
	}
	if hints := strings.Join(r.Hints, "\n"); !strings.Contains(hints, "Losing b/1 cost most, 6.0 s of work done again") {
		t.Errorf("what would have helped: %s", hints)
	}
}

// TestOlderReadersSkipFinales: a recording of this build has the looks that one before reads, and
// one before is read.
func TestOlderReadersSkipFinales(t *testing.T) {
	looks := []Look{at(0, "a/1"), at(1, "a/1")}
	if r := closed(t, true, looks, Finale{How: Answered}); r.Looks != 2 || !r.Whole {
		t.Errorf("%+v", r)
	}
	r, err := Open(recorded(t, looks...))
	if err != nil {
		t.Fatal(err)
	}
	for err == nil {
		_, err = r.Next()
	}
	if c := r.Closing(); !errors.Is(err, io.EOF) || len(c.Runs) != 0 || !c.Whole || c.At != time.Second {
		t.Errorf("%+v, %v", c, err)
	}
}

// TestGoneInARecording: a moment of it names who was gone, as status did.
func TestGoneInARecording(t *testing.T) {
	_, looks := read(t, recorded(t, threeGone()...))
	got := observe.Between(looks[3].Sample, looks[4].Sample).GoneLines()
	if len(got) != 4 || got[0] != "c/2 of site c fell silent, 1.2 s ago, noticed after 3.5 s" {
		t.Errorf("%q", got)
	}
}
