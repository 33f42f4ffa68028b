package recording

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

var began = time.Date(2026, 11, 27, 13, 0, 0, 0, time.UTC)

// at is what a grid of some peers did so many seconds after the beginning: each has been up since
// then, has one worker, half of which computes one run, and lends a job a second.
func at(second int, names ...string) Look {
	up := float64(second)
	s := observe.Sample{Grid: "lab"}
	for _, name := range names {
		site, _, _ := strings.Cut(name, "/")
		s.Members = append(s.Members, across.Peer{Name: name, ID: "id-" + name, Site: site, State: "here", Workers: 1, Addrs: []string{"/there"}})
		load := 0.5
		s.Peers = append(s.Peers, across.Doing{
			Name: name, ID: "id-" + name, Site: site, State: "here", Workers: 1, Build: "e7", Answers: true, Uptime: 10 + up,
			Totals: satin.Totals{Jobs: int64(100 * second), Busy: up / 2, LentNear: uint64(second), BytesFar: int64(1000 * second)},
			Memory: 1 << 20, Load: &load,
			Runs: []across.RunShare{{ID: "0123456789", App: "nqueens", Share: 1, Busy: up / 2, Jobs: int64(100 * second)}},
		})
	}
	s.Runs = []across.RunLine{{ID: "0123456789", App: "nqueens", Input: "17", State: "computing", Master: names[0], Age: up}}
	s.Hosts = []across.Activity{{By: names[0], Sees: []across.SiteSeen{{Site: "a", Peers: len(names)}}, Lost: map[string]int{}}}
	return Look{At: time.Duration(second) * time.Second, Sample: s}
}

// recorded writes looks, and ends at the last one.
func recorded(t *testing.T, looks ...Look) *bytes.Buffer {
	t.Helper()
	var b bytes.Buffer
	r := NewRecorder(&b, began, time.Second)
	for _, l := range looks {
		if err := r.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.Close(looks[len(looks)-1].At); err != nil {
		t.Fatal(err)
	}
	return &b
}

// read is all that a recording has.
func read(t *testing.T, from io.Reader) (*Playback, []Look) {
	t.Helper()
	r, err := Open(from)
	if err != nil {
		t.Fatal(err)
	}
	var looks []Look
	for {
		l, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r, looks
		}
		if err != nil {
			t.Fatal(err)
		}
		looks = append(looks, l)
	}
}

// TestLiveAndRecordedAreTheSame: what is made of a recording is what was made of the grid.
func TestLiveAndRecordedAreTheSame(t *testing.T) {
	live := []Look{at(0, "a/1"), at(1, "a/1", "a/2", "b/1"), at(2, "a/2", "b/1"), at(3, "a/2", "b/1")}
	live[2].Mute = []observe.Untold{{Site: "c", Build: "e7", Peers: 2, Refuses: true}}
	live[2].Missing = []string{"the grid of build f0 does not answer: it is gone"}
	live[3].Runs = nil
	r, looks := read(t, recorded(t, live...))
	if !r.Whole || r.Preamble.Grid != "lab" || !r.Preamble.Began.Equal(began) || r.Preamble.Every != 1 || len(looks) != len(live) {
		t.Fatalf("%+v of %d looks, whole: %v", r.Preamble, len(looks), r.Whole)
	}
	before, was := observe.Sample{}, observe.Sample{}
	for i := range live {
		got, want := observe.Between(was, looks[i].Sample), observe.Between(before, live[i].Sample)
		if looks[i].At != live[i].At || fmt.Sprintf("%+v", told(got)) != fmt.Sprintf("%+v", told(want)) {
			t.Errorf("look %d at %v is\n%+v, was\n%+v", i, looks[i].At, told(got), told(want))
		}
		before, was = live[i].Sample, looks[i].Sample
	}
}

// told is a view without pointers.
func told(v observe.View) (all []string) {
	for _, sheet := range []observe.Sheet{v.SitesTable(), v.PeersTable(), v.RunsTable()} {
		for _, l := range sheet.Lines {
			all = append(all, fmt.Sprint(l.Cells))
		}
	}
	return append(append(all, v.Title(), v.LossesLine()), v.Warnings...)
}

// TestViewAt: what was to be seen then, and before the first look that.
func TestViewAt(t *testing.T) {
	text := recorded(t, at(1, "a/1"), at(2, "a/1", "b/1"), at(4, "b/1")).Bytes()
	for second, want := range map[float64]string{0.5: "1 peer at 1 site", 1: "1 peer at 1 site", 2: "2 peers at 2 sites", 3.9: "2 peers at 2 sites", 60: "1 peer at 1 site"} {
		r, err := Open(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		v, when, err := r.ViewAt(time.Duration(second * float64(time.Second)))
		if err != nil || !strings.HasPrefix(v.Title(), "grid lab: "+want) {
			t.Errorf("at %v s: %s, %v", second, v.Title(), err)
		}
		if last := []float64{1, 2, 4}; second >= 1 && when.Seconds() > second || !slices.Contains(last, when.Seconds()) {
			t.Errorf("at %v s it is of %v", second, when)
		}
		if busy := v.Whole().Busy; second > 1 && (busy == nil || *busy != 0.5) {
			t.Errorf("at %v s what was done is not known", second)
		}
	}
}

// TestKilledRecorder: all that was written before is there, wherever it was cut off.
func TestKilledRecorder(t *testing.T) {
	whole := recorded(t, at(0, "a/1"), at(1, "a/1"), at(2, "a/1", "b/1")).Bytes()
	most := 0
	for n := 40; n < len(whole); n++ {
		r, err := Open(bytes.NewReader(whole[:n]))
		if err != nil {
			continue // not even the preamble is there
		}
		looks := 0
		for ; err == nil; looks++ {
			_, err = r.Next()
		}
		if !errors.Is(err, io.EOF) {
			t.Fatalf("cut off after %d of %d bytes: %v", n, len(whole), err)
		}
		if looks--; looks < most {
			t.Errorf("%d bytes have %d looks, and fewer had %d", n, looks, most)
		}
		most = max(most, looks)
	}
	if most != 3 {
		t.Errorf("without its last byte it has %d looks", most)
	}
}

// crowd are more peers than there may be.
func crowd() string {
	var all []string
	for i := range entriesMax + 1 {
		all = append(all, fmt.Sprintf(`"%d":{}`, i))
	}
	return strings.Join(all, ",")
}

// TestNoRecording: each is told in a few words.
func TestNoRecording(t *testing.T) {
	zipped := func(text string) string {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		z.Write([]byte(text))
		z.Close()
		return b.String()
	}
	head := `{"satin":"recording","schema":1,"grid":"lab"}` + "\n"
	for text, want := range map[string]string{
		"":                     errNone.Error(),
		"GIF89a":               errNone.Error(),
		zipped("a diary"):      errNone.Error(),
		zipped(`{"schema":1}`): errNone.Error(),
		zipped(`{"satin":"recording","schema":9}`): "it is a recording of schema 9, and this build reads 1",
		zipped(head + "x\n{}\n"):                   "after 0s: invalid character 'x' looking for beginning of value",
		zipped(head + `{"t":3,"is":{"peers":7}}`):  "at 3s: an object is expected, and there is 7",
		zipped(head + `{"t":3,"is":{"peers":{` + strings.Repeat(`"a":{},`, 9) + crowd() + `}}}`): "at 3s: there are more than 8192 of a kind",
	} {
		r, err := Open(strings.NewReader(text))
		for err == nil {
			_, err = r.Next()
		}
		if !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestLongRecordingHasFewerLooks: twice as long from one to the next, and again, and not for ever.
func TestLongRecordingHasFewerLooks(t *testing.T) {
	r := NewRecorder(io.Discard, began, time.Second)
	for bytes, want := range map[int64]time.Duration{0: time.Second, ThinAfter: 2 * time.Second, 3 * ThinAfter: 8 * time.Second, 1 << 40: time.Second << thinMost} {
		if r.to.n = bytes; r.Every() != want {
			t.Errorf("after %d bytes a look is every %v", bytes, r.Every())
		}
	}
}

// TestBytesOfLook: what has not changed is not written again.
func TestBytesOfLook(t *testing.T) {
	var names []string
	for i := range 100 {
		names = append(names, fmt.Sprintf("a/%d", i))
	}
	rng := rand.New(rand.NewPCG(1, 2))
	r := NewRecorder(io.Discard, began, time.Second)
	for second := range 20 {
		l := at(second, names...)
		for i := range l.Peers { // no two have the same figures
			d := &l.Peers[i]
			noise := rng.Float64()
			d.Uptime, d.Memory = d.Uptime+math.Round(noise*1e6)/1e6, d.Memory+rng.Int64N(1<<20)
			d.Totals.Jobs, d.Totals.Busy = d.Totals.Jobs*1e5+rng.Int64N(1e6), d.Totals.Busy+noise
			d.Runs[0].Jobs, d.Runs[0].Busy = d.Totals.Jobs, d.Totals.Busy
		}
		if err := r.Add(l); err != nil {
			t.Fatal(err)
		}
		if second == 0 {
			r.to.n = 0
		}
	}
	each := float64(r.Bytes()) / 19 / 100
	if t.Logf("a peer that computes takes %.0f bytes a look", each); each > 60 {
		t.Error("that is too much")
	}
}

// TestNothingIsRecorded: a recorder that saw nothing leaves nothing behind.
func TestNothingIsRecorded(t *testing.T) {
	var b bytes.Buffer
	if err := NewRecorder(&b, began, time.Second).Close(time.Second); err != nil || b.Len() > 0 {
		t.Errorf("%d bytes: %v", b.Len(), err)
	}
	full := NewRecorder(&fullDisk{}, began, time.Second)
	if err := full.Add(at(0, "a/1")); !errors.Is(err, errFull) {
		t.Errorf("a full disk: %v", err)
	}
}

var errFull = errors.New("no space left on device")

type fullDisk struct{}

func (*fullDisk) Write([]byte) (int, error) { return 0, errFull }

// FuzzPlayback: whatever a file has, it is read to an end, and told.
func FuzzPlayback(f *testing.F) {
	f.Add([]byte(`{"t":1,"is":{"peers":{"x":{"uptime_seconds":1,"answers":true}}}}`))
	f.Add([]byte(`{"t":1,"loans":{"x":[{"no":9223372036854775808,"run":"ab","from":"a/1","at":1e308,"took":1e305},{"no":7,"at":2,"took":1,"from":"/"}]},"missed":18446744073709551615}` +
		"\n" + `{"t":1,"is":{"peers":{"x":{"uptime_seconds":2,"answers":true}}}}` + "\n" + `{"t":1,"loans_end":true}`))
	f.Add([]byte(`{"t":-1e300,"is":{"runs":{"x":null},"order":["x"]}}` + "\n" + `{"t":2,"end":true}`))
	f.Fuzz(func(t *testing.T, lines []byte) {
		var b bytes.Buffer
		z := gzip.NewWriter(&b)
		fmt.Fprintln(z, `{"satin":"recording","schema":1,"grid":"lab","every":1}`)
		z.Write(lines)
		z.Close()
		text := b.Bytes()
		r, err := Open(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		if tr, err := TraceOf(r); err == nil {
			var b bytes.Buffer
			if err := tr.Write(&b); err != nil || !json.Valid(b.Bytes()) {
				t.Errorf("%v: %s", err, &b)
			}
		}
		if r, err = Open(bytes.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		report, err := Tell(r)
		if err != nil {
			return
		}
		if err := report.Page(io.Discard); err != nil {
			t.Error(err)
		}
		if _, err := json.Marshal(report); err != nil {
			t.Error(err)
		}
		report.Print(&console.Printer{W: io.Discard})
	})
}
