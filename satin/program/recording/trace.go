package recording

import (
	"bufio"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"strings"

	"satingrid/satin/program/across"
	"satingrid/satin/program/observe"
)

// slicesMax bounds the loans of which a trace is made, which are all in memory then. A recording of
// [LoansBytes] has some hundred thousand.
const slicesMax = 1 << 20

// Trace is a recording as a timeline of single loans, for those who look at it with Perfetto or
// another viewer of Chrome's trace events.
type Trace struct {
	Loans  int
	Peers  int
	Missed uint64  // loans that ended, too: nobody has told, or no track is left
	Until  float64 // seconds: loans that ended later are not in the recording; 0: all are

	report *Report
	lives  map[string][]*lifespan // of each peer
	runs   map[string]string      // what people call each
	busy   map[string][]level     // of each site
}

// lifespan is a peer from one start to the next.
type lifespan struct {
	name, site string
	workers    int
	// when it began, by the clock of the recording, at the latest: each look comes some time
	// after what it tells
	began float64
	up    float64
	loans []across.Loan
}

// level is how many workers computed from a moment on.
type level struct{ at, busy float64 }

// TraceOf reads a recording to its end.
func TraceOf(r *Playback) (*Trace, error) {
	t := &Trace{lives: map[string][]*lifespan{}, runs: map[string]string{}, busy: map[string][]level{}}
	sum, before := NewSummary(r.Preamble), observe.Sample{}
	for {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		sum.Add(l)
		t.add(before, l)
		before = l.Sample
	}
	t.report = sum.Report()
	t.report.Close(r.Closing())
	return t, nil
}

func (t *Trace) add(before observe.Sample, l Look) {
	at := l.At.Seconds()
	for _, d := range l.Peers {
		if d.Answers {
			t.lifeOf(d, at)
		}
	}
	for _, id := range slices.Sorted(maps.Keys(l.Of)) {
		if all := t.lives[id]; len(all) > 0 {
			fit := min(len(l.Of[id]), slicesMax-t.Loans)
			is := all[len(all)-1]
			is.loans = append(is.loans, l.Of[id][:fit]...)
			t.Loans += fit
			t.Missed += uint64(len(l.Of[id]) - fit)
		}
	}
	t.Missed += l.Missed
	if l.Last && t.Until == 0 {
		t.Until = at
	}
	for _, r := range l.Runs {
		t.runs[r.ID] = strings.TrimSpace(r.App + " " + r.Input)
	}
	for _, s := range observe.Between(before, l.Sample).Sites {
		if s.Busy != nil {
			t.busy[s.Site] = append(t.busy[s.Site], level{at, *s.Busy * float64(s.Workers)})
		}
	}
}

// lifeOf notes that a peer was up for so long then.
func (t *Trace) lifeOf(d across.Doing, at float64) {
	all := t.lives[d.ID]
	if n := len(all); n == 0 || d.Uptime < all[n-1].up || at-d.Uptime > all[n-1].began+lateMax.Seconds() {
		t.Peers++
		all = append(all, &lifespan{name: d.Name, site: d.Site, began: at - d.Uptime})
		t.lives[d.ID] = all
	}
	l := all[len(all)-1]
	l.up, l.began, l.workers = d.Uptime, min(l.began, at-d.Uptime), max(l.workers, d.Workers)
}

// traceEvent is one of Chrome's trace events, https://github.com/google/perfetto's legacy JSON
// format. Times are in microseconds.
type traceEvent struct {
	Phase    string         `json:"ph"`
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Time     float64        `json:"ts"`
	Takes    float64        `json:"dur,omitempty"`
	ID       int            `json:"id,omitempty"`
	Binds    string         `json:"bp,omitempty"`
	Scope    string         `json:"s,omitempty"`
	Args     map[string]any `json:"args,omitempty"`
}

// micro is a time of the recording in a trace: none is before its beginning.
func micro(seconds float64) float64 { return math.Round(max(seconds, 0) * 1e6) }

// traceWriter writes events, a line each.
type traceWriter struct {
	w   *bufio.Writer
	n   int
	err error
}

func (w *traceWriter) event(e traceEvent) {
	text, err := json.Marshal(e)
	if w.err = cmp.Or(w.err, err); w.err != nil {
		return
	}
	if w.n++; w.n > 1 {
		w.w.WriteString(",\n")
	}
	_, w.err = w.w.Write(text)
}

func (w *traceWriter) names(what string, process, thread int, name string) {
	w.event(traceEvent{Phase: "M", Name: what, Process: process, Thread: thread, Args: map[string]any{"name": name}})
}

// gridProcess is the process of what concerns all, and gridThread its first track; those of sites
// follow. lendsThread is
// that of a peer from which arrows go; those of its workers follow. None is 0, which viewers may
// take for a processor that rests.
const (
	gridProcess = 1
	gridThread  = 1
	lendsThread = 1
)

// Write writes it: a process for each life of a peer with a track for each worker, a slice for each
// loan and an arrow from where it was stolen. What happened to the grid, and how many workers of
// each site computed, stand above.
func (t *Trace) Write(to io.Writer) error {
	w := &traceWriter{w: bufio.NewWriter(to)}
	w.w.WriteString(`{"displayTimeUnit":"ms","traceEvents":[` + "\n")
	w.names("process_name", gridProcess, gridThread, "grid "+t.report.Grid)
	w.names("thread_name", gridProcess, gridThread, "what happened")
	for _, h := range t.report.Happened {
		w.event(traceEvent{Phase: "i", Name: h.What, Process: gridProcess, Thread: gridThread, Time: micro(h.At), Scope: "g"})
	}
	for _, site := range slices.Sorted(maps.Keys(t.busy)) {
		for _, l := range t.busy[site] {
			w.event(traceEvent{Phase: "C", Name: "busy workers of " + site, Process: gridProcess, Thread: gridThread, Time: micro(l.at), Args: map[string]any{"workers": l.busy}})
		}
	}
	t.writeLosses(w)
	t.writePeers(w)
	w.w.WriteString("\n]}\n")
	return errors.Join(w.err, w.w.Flush())
}

// writeLosses writes a track for each site that has lost somebody, or that somebody has left, with
// an instant for each.
func (t *Trace) writeLosses(w *traceWriter) {
	thread := map[string]int{}
	for _, b := range t.report.Bills {
		if b.At == nil {
			continue
		}
		n, known := thread[b.Site]
		if !known {
			n = gridThread + 1 + len(thread)
			thread[b.Site] = n
			w.names("thread_name", gridProcess, n, "site "+b.Site)
		}
		w.event(traceEvent{Phase: "i", Category: "loss", Name: b.Peer + " " + b.Went(), Process: gridProcess, Thread: n, Time: micro(*b.At), Scope: "t", Args: argsOfLoss(b)})
	}
}

// argsOfLoss is what is told of a loss that is looked at: what is known of it.
func argsOfLoss(b Bill) map[string]any {
	args := map[string]any{"peer": b.Peer, "how": cmp.Or(b.How, "unknown")}
	if b.With != "" {
		args["with"] = b.With
	}
	for name, is := range map[string]*float64{"noticed_seconds": b.Noticed, "redone_seconds": b.Redone, "saved_seconds": b.Saved} {
		if is != nil {
			args[name] = *is
		}
	}
	for name, is := range map[string]*uint64{"restarted": b.Restarted, "reused": b.Reused} {
		if is != nil {
			args[name] = *is
		}
	}
	return args
}

// writePeers writes the tracks of all peers, site by site.
func (t *Trace) writePeers(w *traceWriter) {
	var all []*lifespan
	for _, id := range slices.Sorted(maps.Keys(t.lives)) {
		all = append(all, t.lives[id]...)
	}
	slices.SortStableFunc(all, func(a, b *lifespan) int {
		return cmp.Or(strings.Compare(a.site, b.site), strings.Compare(a.name, b.name), cmp.Compare(a.began, b.began))
	})
	process := map[string][]int{} // by name, of each life
	for i, l := range all {
		process[l.name] = append(process[l.name], i)
		n := gridProcess + 1 + i
		w.names("process_name", n, lendsThread, l.name)
		w.event(traceEvent{Phase: "M", Name: "process_sort_index", Process: n, Thread: lendsThread, Args: map[string]any{"sort_index": n}})
		w.names("thread_name", n, lendsThread, "is stolen from")
	}
	arrow := 0
	for i, l := range all {
		n := gridProcess + 1 + i
		lanes, left := l.lanes()
		t.Missed += uint64(left)
		for lane, loans := range lanes {
			thread, name := lendsThread+1+lane, fmt.Sprintf("worker %d", lane+1)
			if lane >= l.workers {
				name = fmt.Sprintf("above another job, %d", lane+1-l.workers)
			}
			w.names("thread_name", n, thread, name)
			for _, is := range loans {
				w.event(traceEvent{
					Phase: "X", Category: "loan", Name: t.called(is.Run), Process: n, Thread: thread, Time: is.from,
					Takes: is.to - is.from, Args: argsOf(is.Loan),
				})
				victim, known := victimOf(all, process[is.From], l.began+is.At-is.Took)
				if !known {
					continue
				}
				arrow++
				v := gridProcess + 1 + victim
				w.event(traceEvent{Phase: "X", Category: "loan", Name: "to " + l.name, Process: v, Thread: lendsThread, Time: is.from, Takes: 1})
				w.event(traceEvent{Phase: "s", Category: "steal", Name: "steal", Process: v, Thread: lendsThread, Time: is.from, ID: arrow})
				w.event(traceEvent{Phase: "f", Category: "steal", Name: "steal", Process: n, Thread: thread, Time: is.from, ID: arrow, Binds: "e"})
			}
		}
	}
}

// argsOf is what is told of a loan whose slice is looked at.
func argsOf(is across.Loan) map[string]any {
	args := map[string]any{"from": cmp.Or(is.From, "root"), "no": is.No, "run": is.Run}
	if is.What != "" {
		args["what"] = is.What
	}
	return args
}

// called is what people call a run. One that was over before anybody looked has its id.
func (t *Trace) called(run string) string {
	if name := t.runs[run]; name != "" {
		return name
	}
	return "run " + run[:min(len(run), 8)]
}

// lanesMax bounds the tracks of a peer, and livesMax its lives that are looked through.
const (
	lanesMax = 256
	livesMax = 64
)

// victimOf is which life of a peer was on at a moment.
func victimOf(all []*lifespan, lives []int, at float64) (is int, known bool) {
	for _, i := range lives[max(len(lives)-livesMax, 0):] {
		if !known || all[i].began <= at {
			is, known = i, true
		}
	}
	return is, known
}

// laid is a loan in the microseconds of a trace, at least one of them.
type laid struct {
	across.Loan
	from, to float64
}

// lanes lays a peer's loans onto tracks, each onto that of the lowest number that is free: a viewer
// drops what overlaps another on its track. Which worker did what is not told; where a worker waits
// in one job and does another above it, there are more tracks than workers. left is how many found
// no track.
func (l *lifespan) lanes() (lanes [][]laid, left int) {
	all := make([]laid, len(l.loans))
	for i, is := range l.loans {
		from := micro(l.began + is.At - is.Took)
		all[i] = laid{is, from, max(micro(l.began+is.At), from+1)}
	}
	slices.SortStableFunc(all, func(a, b laid) int { return cmp.Compare(a.from, b.from) })
	for _, is := range all {
		lane := slices.IndexFunc(lanes, func(on []laid) bool { return on[len(on)-1].to <= is.from })
		switch {
		case lane >= 0:
			lanes[lane] = append(lanes[lane], is)
		case len(lanes) < lanesMax:
			lanes = append(lanes, []laid{is})
		default:
			left++
		}
	}
	return lanes, left
}
