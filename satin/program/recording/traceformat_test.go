package recording

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"satingrid/satin/program/across"
)

// rawEvent is a trace event as the format's own document has it ("Trace Event Format", Google,
// 2016): it shares nothing with what is written by.
type rawEvent struct {
	Ph   *string         `json:"ph"`
	Name *string         `json:"name"`
	Cat  string          `json:"cat"`
	Pid  *int            `json:"pid"`
	Tid  *int            `json:"tid"`
	Ts   *float64        `json:"ts"`
	Dur  *float64        `json:"dur"`
	ID   json.RawMessage `json:"id"`
	Bp   string          `json:"bp"`
	S    string          `json:"s"`
	Args map[string]any  `json:"args"`
}

// track is one: a thread of a process.
type track struct{ pid, tid int }

// span is a slice on it.
type span struct{ from, to float64 }

// traceRead is what a reader of a trace makes of it.
type traceRead struct {
	named, threads map[track]string // processes, by tid 0, and tracks
	spans          map[track][]span
	starts, ends   map[string]rawEvent // of arrows, by id
	instants       int
	counts         map[string]float64 // the time of the last value
}

// readTrace reads a trace as strictly as its format is documented, and as Perfetto's documentation
// asks for. Slices of a track only nest. Each arrow begins and ends once, within a slice at either
// end, and not before it begins. All tracks and processes have names. A counter's values come in
// the order of time.
func readTrace(t *testing.T, text []byte) traceRead {
	t.Helper()
	var all struct {
		DisplayTimeUnit string     `json:"displayTimeUnit"`
		TraceEvents     []rawEvent `json:"traceEvents"`
	}
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	if err := d.Decode(&all); err != nil {
		t.Fatalf("%v:\n%s", err, text)
	}
	if u := all.DisplayTimeUnit; u != "ms" && u != "ns" {
		t.Errorf("times are shown in %q", u)
	}
	r := traceRead{map[track]string{}, map[track]string{}, map[track][]span{}, map[string]rawEvent{}, map[string]rawEvent{}, 0, map[string]float64{}}
	for i, e := range all.TraceEvents {
		if err := r.event(e); err != nil {
			text, _ := json.Marshal(e)
			t.Errorf("event %d: %v: %s", i, err, text)
		}
	}
	for at, spans := range r.spans {
		if r.named[track{at.pid, 0}] == "" || r.threads[at] == "" {
			t.Errorf("track %+v has no name, or its process has none", at)
		}
		if err := nest(spans); err != nil {
			t.Errorf("track %q of %q: %v", r.threads[at], r.named[track{at.pid, 0}], err)
		}
	}
	if len(r.starts) != len(r.ends) {
		t.Errorf("%d arrows begin, and %d end", len(r.starts), len(r.ends))
	}
	for id, s := range r.starts {
		f, ok := r.ends[id]
		switch {
		case !ok:
			t.Errorf("arrow %s has no end", id)
		case s.Cat != f.Cat || *s.Name != *f.Name:
			t.Errorf("arrow %s begins as %s of %s and ends as %s of %s", id, *s.Name, s.Cat, *f.Name, f.Cat)
		case *f.Ts < *s.Ts:
			t.Errorf("arrow %s goes back in time", id)
		case !r.within(s) || !r.within(f) || f.Bp != "e":
			t.Errorf("arrow %s has an end at no slice", id)
		}
	}
	return r
}

// event takes one.
func (r *traceRead) event(e rawEvent) error {
	if e.Ph == nil || e.Name == nil || e.Pid == nil || e.Tid == nil || e.Ts == nil {
		return fmt.Errorf("ph, name, pid, tid or ts is missing")
	}
	at := track{*e.Pid, *e.Tid}
	switch {
	case at.pid < 1 || at.tid < 1:
		return fmt.Errorf("process or thread 0 is a processor's")
	case *e.Ts < 0 || *e.Ts != math.Trunc(*e.Ts) || *e.Name == "":
		return fmt.Errorf("its time or its name is none")
	case (*e.Ph == "X") != (e.Dur != nil):
		return fmt.Errorf("it lasts, or does not")
	case (*e.Ph == "s" || *e.Ph == "f") != (e.ID != nil):
		return fmt.Errorf("it has an id, or has none")
	}
	switch *e.Ph {
	case "M":
		name, _ := e.Args["name"].(string)
		switch *e.Name {
		case "process_name":
			at.tid = 0
			if r.named[at] != "" || name == "" {
				return fmt.Errorf("another name")
			}
			r.named[at] = name
		case "thread_name":
			if r.threads[at] != "" || name == "" {
				return fmt.Errorf("another name")
			}
			r.threads[at] = name
		case "process_sort_index":
			if _, ok := e.Args["sort_index"].(float64); !ok {
				return fmt.Errorf("no index")
			}
		default:
			return fmt.Errorf("no such metadata")
		}
	case "X":
		if *e.Dur <= 0 {
			return fmt.Errorf("it lasts for nothing")
		}
		r.spans[at] = append(r.spans[at], span{*e.Ts, *e.Ts + *e.Dur})
	case "i":
		r.instants++
		if e.S != "g" && e.S != "p" && e.S != "t" {
			return fmt.Errorf("an instant of no scope")
		}
	case "C":
		if *e.Ts < r.counts[*e.Name] {
			return fmt.Errorf("a value of a time before the one before it")
		}
		r.counts[*e.Name] = *e.Ts
		for series, v := range e.Args {
			if _, ok := v.(float64); !ok {
				return fmt.Errorf("%s is no number", series)
			}
		}
	case "s", "f":
		ends := map[string]map[string]rawEvent{"s": r.starts, "f": r.ends}[*e.Ph]
		if _, twice := ends[string(e.ID)]; twice {
			return fmt.Errorf("its id was there before")
		}
		ends[string(e.ID)] = e
	default:
		return fmt.Errorf("no such phase")
	}
	return nil
}

// within tells whether there is a slice at an end of an arrow.
func (r *traceRead) within(e rawEvent) bool {
	return slices.ContainsFunc(r.spans[track{*e.Pid, *e.Tid}], func(s span) bool { return s.from <= *e.Ts && *e.Ts <= s.to })
}

// nest says which slices of a track overlap without one being within the other, as they were
// written: of two that begin at once the longer has to come first.
func nest(spans []span) error {
	slices.SortStableFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	var open []span
	for _, s := range spans {
		for len(open) > 0 && open[len(open)-1].to <= s.from {
			open = open[:len(open)-1]
		}
		if len(open) > 0 && open[len(open)-1].to < s.to {
			return fmt.Errorf("%v and %v overlap", open[len(open)-1], s)
		}
		open = append(open, s)
	}
	return nil
}

// TestTraceIsInItsFormat, of loans at random: some of no time at all, some from before the
// recording, many at once, and more than there are tracks.
func TestTraceIsInItsFormat(t *testing.T) {
	for seed := range uint64(20) {
		rng := rand.New(rand.NewPCG(seed, 5))
		names := []string{"a/1", "a/2", "b/1"}
		var looks []Look
		no := map[string]uint64{}
		for second := range 4 {
			l := at(second, names...)
			for i := range l.Peers {
				// all were up for two seconds before the first look
				l.Peers[i].Uptime = float64(second) + 2 + 0.1*rng.Float64()
				var loans []across.Loan
				for range rng.IntN(60) {
					name := l.Peers[i].Name
					no[name]++
					is := across.Loan{
						No: no[name], Run: "0123456789", From: names[rng.IntN(3)], What: "part",
						At: math.Round(1e3*(float64(second)+1+rng.Float64())) / 1e3, Took: float64(rng.IntN(4)) * rng.Float64(),
					}
					is.Took = min(is.Took, is.At)
					if rng.IntN(4) == 0 {
						is.Took = 0
					}
					loans = append(loans, is)
				}
				l.Peers[i].Loans = loans
			}
			looks = append(looks, l)
		}
		p, err := Open(recorded(t, looks...))
		if err != nil {
			t.Fatal(err)
		}
		tr, err := TraceOf(p)
		if err != nil {
			t.Fatal(err)
		}
		many := &lifespan{name: "c/1", site: "c", workers: 1}
		for n := range lanesMax + 3 {
			many.loans = append(many.loans, across.Loan{No: uint64(n), Run: "0123456789", From: "a/1", At: 3, Took: 1})
		}
		tr.lives["c"] = []*lifespan{many}
		var b bytes.Buffer
		if err := tr.Write(&b); err != nil {
			t.Fatal(err)
		}
		r := readTrace(t, b.Bytes())
		loans := 0
		for at, spans := range r.spans {
			if at.tid != lendsThread {
				loans += len(spans)
			}
		}
		if loans != tr.Loans+lanesMax || tr.Missed != 3 || len(r.starts) != loans || r.instants == 0 || len(r.counts) == 0 {
			t.Errorf("seed %d: %d slices of %d loans, %d missed, %d arrows", seed, loans, tr.Loans, tr.Missed, len(r.starts))
		}
	}
}
