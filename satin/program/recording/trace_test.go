package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
)

// lent gives a look's peer some loans.
func (l Look) lent(name string, loans ...across.Loan) Look {
	for i := range l.Peers {
		if l.Peers[i].Name == name {
			l.Peers[i].Loans = loans
		}
	}
	return l
}

// loan is one that took half a second. Peers of looks were up for ten when these began.
func loan(no uint64, from string, ended float64) across.Loan {
	return across.Loan{No: no, Run: "0123456789", From: from, At: 10 + ended, Took: 0.5}
}

// TestLoansAreRecordedOnce: peers tell of their last ones, some of them again. What ended unseen is
// counted, but for what ended before anybody looked; a peer that has begun anew counts anew, and of
// one that has come since all are counted.
func TestLoansAreRecordedOnce(t *testing.T) {
	reborn := at(4, "a/1").lent("a/1", loan(1, "b/1", -9))
	reborn.Peers[0].Uptime = 1
	joined := at(5, "a/1", "b/1").lent("b/1", loan(1, "a/1", 2.7))
	joined.Peers = append(joined.Peers, at(5, "c/1").lent("c/1", loan(4, "a/1", -6)).Peers...)
	joined.Peers[2].Uptime = 4.5
	_, looks := read(t, recorded(t,
		at(1, "a/1", "b/1").lent("a/1", loan(7, "", 0.5), loan(8, "b/1", 0.9)),
		at(2, "a/1", "b/1").lent("a/1", loan(8, "b/1", 0.9), loan(9, "b/1", 1.5)),
		at(3, "a/1", "b/1").lent("a/1", loan(13, "b/1", 2.5)).lent("b/1", loan(1, "a/1", 2.7)),
		reborn, joined,
	))
	var got []string
	for _, l := range looks {
		text := fmt.Sprint(l.Missed)
		for _, id := range []string{"id-a/1", "id-b/1", "id-c/1"} {
			for _, is := range l.Of[id] {
				text += fmt.Sprintf(" %s:%d", id[3:], is.No)
			}
		}
		got = append(got, text)
		for _, d := range l.Peers {
			if len(d.Loans) > 0 {
				t.Errorf("at %v they are in the state, too: %v", l.At, d.Loans)
			}
		}
	}
	if want := []string{"0 a/1:7 a/1:8", "0 a/1:9", "3 a/1:13 b/1:1", "0 a/1:1", "3 c/1:4"}; !slices.Equal(got, want) {
		t.Errorf("looks have %q, want %q", got, want)
	}
}

// TestRoomForLoans: when it is used up no more are wanted, and a reader is told.
func TestRoomForLoans(t *testing.T) {
	var b bytes.Buffer
	r := NewRecorder(&b, began, time.Second)
	r.LoansMax(1)
	for second := range 3 {
		if wants := r.WantsLoans(); wants != (second == 0) {
			t.Errorf("at %d s loans are wanted: %v", second, wants)
		}
		if err := r.Add(at(second, "a/1").lent("a/1", loan(uint64(second+1), "", float64(second)))); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(3 * time.Second); err != nil {
		t.Fatal(err)
	}
	_, looks := read(t, &b)
	if len(looks) != 3 || len(looks[0].Of) != 1 || !looks[0].Last || len(looks[1].Of)+len(looks[2].Of) > 0 {
		t.Errorf("%+v", looks)
	}
	p, err := Open(bytes.NewReader(recorded(t, looks...).Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if tr, err := TraceOf(p); err != nil || tr.Loans != 0 || tr.Peers != 1 {
		t.Errorf("without loans: %+v, %v", tr, err)
	}
}

// TestBytesOfLoan: what a loan takes where a hundred peers have ten each between two looks.
func TestBytesOfLoan(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("a/%06d", i))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	r := NewRecorder(io.Discard, began, time.Second)
	room := int64(LoansBytes)
	for second := range 5 {
		l := at(second, names...)
		for i, name := range names {
			var loans []across.Loan
			for n := range 10 {
				is := loan(uint64(10*second+n+1), names[(i+rng.IntN(99)+1)%100], float64(second)+rng.Float64())
				is.At, is.Took = console.Round(is.At), console.Round(rng.Float64())
				loans = append(loans, is)
			}
			l = l.lent(name, loans...)
		}
		if err := r.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	each := float64(room-r.room) / (5 * 100 * 10)
	if t.Logf("a loan takes %.0f bytes", each); each > 30 {
		t.Error("that is too much")
	}
}

// TestTrace: loans lie on tracks of their peer where none overlaps another, at the recording's
// times whatever a peer's clock and however late it was asked. An arrow comes from whose job it
// was.
func TestTrace(t *testing.T) {
	late := at(2, "a/1", "b/1")
	late.Peers[0].Uptime -= 0.3 // what a/1 told is older
	p, err := Open(recorded(t,
		at(1, "a/1", "b/1").lent("a/1", loan(1, "", 0.8)),
		late.lent("a/1", loan(2, "b/1", 1.6), loan(3, "b/1", 1.9)).lent("b/1", loan(1, "gone/1", 1.5)),
		at(3, "b/1"),
	))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := TraceOf(p)
	if err != nil || tr.Loans != 4 || tr.Peers != 2 || tr.Missed != 0 || tr.Until != 0 {
		t.Fatalf("%+v, %v", tr, err)
	}
	var b bytes.Buffer
	if err := tr.Write(&b); err != nil {
		t.Fatal(err)
	}
	readTrace(t, b.Bytes())
	var all struct {
		TraceEvents []traceEvent
	}
	if err := json.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatalf("%v:\n%s", err, &b)
	}
	processes, threads := map[int]string{}, map[[2]int]string{}
	for _, e := range all.TraceEvents {
		switch e.Name {
		case "process_name":
			processes[e.Process] = e.Args["name"].(string)
		case "thread_name":
			threads[[2]int{e.Process, e.Thread}] = e.Args["name"].(string)
		}
	}
	var slicesOf, arrows, marks []string
	for _, e := range all.TraceEvents {
		switch {
		case e.Phase == "X" && e.Thread != lendsThread:
			slicesOf = append(slicesOf, fmt.Sprintf("%s %s %s from %v at %v for %v", processes[e.Process], threads[[2]int{e.Process, e.Thread}], e.Name, e.Args["from"], e.Time, e.Takes))
		case e.Phase == "s":
			arrows = append(arrows, fmt.Sprintf("%s at %v", processes[e.Process], e.Time))
		case e.Phase == "i":
			marks = append(marks, e.Name)
		}
	}
	if want := []string{
		"a/1 worker 1 nqueens 17 from root at 300000 for 500000", "a/1 worker 1 nqueens 17 from b/1 at 1.1e+06 for 500000",
		"a/1 above another job, 1 nqueens 17 from b/1 at 1.4e+06 for 500000", "b/1 worker 1 nqueens 17 from gone/1 at 1e+06 for 500000",
	}; !slices.Equal(slicesOf, want) {
		t.Errorf("slices are\n%q, want\n%q", slicesOf, want)
	}
	if want := []string{"b/1 at 1.1e+06", "b/1 at 1.4e+06"}; !slices.Equal(arrows, want) {
		t.Errorf("arrows are from %q, want %q", arrows, want)
	}
	if len(marks) == 0 {
		t.Error("nothing has happened")
	}
}

// TestLossesAreInstants: each loss is a mark on its site's track, with what is known of its bill.
func TestLossesAreInstants(t *testing.T) {
	p, err := Open(recorded(t, threeGone()...))
	if err != nil {
		t.Fatal(err)
	}
	tr, err := TraceOf(p)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := tr.Write(&b); err != nil {
		t.Fatal(err)
	}
	var all struct{ TraceEvents []traceEvent }
	if err := json.Unmarshal(b.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	tracks := map[int]string{}
	var marks []string
	for _, e := range all.TraceEvents {
		switch {
		case e.Phase == "M" && e.Name == "thread_name" && e.Process == gridProcess:
			tracks[e.Thread] = e.Args["name"].(string)
		case e.Category == "loss":
			marks = append(marks, fmt.Sprintf("%s at %v: %s, %v put back, saved %v, with %v", tracks[e.Thread], e.Time/1e6, e.Name, e.Args["restarted"], e.Args["saved_seconds"], e.Args["with"]))
		}
	}
	want := []string{
		"site b at 1.5: b/1 was killed, 3 put back, saved <nil>, with <nil>", "site c at 20.5: c/1 fell silent, 2 put back, saved <nil>, with <nil>",
		"site c at 20.75: c/2 fell silent, <nil> put back, saved <nil>, with c/1", "site d at 40.5: d/1 left, 0 put back, saved <nil>, with <nil>",
	}
	if !slices.Equal(marks, want) {
		t.Errorf("the marks are %q, wanted %q", marks, want)
	}
}
