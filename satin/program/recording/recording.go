package recording

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

// ThinAfter is how many bytes a recording has before its looks are half as many, and again.
const ThinAfter = 32 << 20

const (
	thinMost = 10       // times: then a look is every quarter of an hour
	lineMax  = 16 << 20 // bytes of a line, and of the state: some thousand peers have 4 MB
	magic    = "recording"
)

// Preamble is the first line.
type Preamble struct {
	Satin  string    `json:"satin"` // "recording"
	Schema int       `json:"schema"`
	Grid   string    `json:"grid"`
	Began  time.Time `json:"began"`
	Every  float64   `json:"every"` // seconds from look to look, at first
}

// Look is a sample, and when it was taken, since the beginning.
type Look struct {
	At          time.Duration
	Silent      bool // since the look before there was a time in which nobody answered
	SingleLoans      // that have ended since
	observe.Sample
}

// lookLine is any but the first: a look, the loans of the look that follows, or how a run ended.
type lookLine struct {
	T      float64                `json:"t"`
	Is     json.RawMessage        `json:"is,omitempty"`
	Silent bool                   `json:"silent,omitempty"`
	Loans  entries[[]across.Loan] `json:"loans,omitempty"`
	Missed uint64                 `json:"missed,omitempty"`
	Last   bool                   `json:"loans_end,omitempty"`
	Ended  *Finale                `json:"ended,omitempty"`
	End    bool                   `json:"end,omitempty"`
}

// depiction is a sample as it is written.
type depiction struct {
	Members entries[across.Peer]     `json:"members"`
	Peers   entries[across.Doing]    `json:"peers"`
	Runs    entries[across.RunLine]  `json:"runs"`
	Order   []string                 `json:"order"`
	Hosts   entries[across.Activity] `json:"hosts"`
	Mute    []observe.Untold         `json:"mute"`
	Missing []string                 `json:"missing"`
}

// entriesMax bounds what is read of each list: more than any grid has members, or tells of runs.
const entriesMax = 1 << 13

// entries are some of a kind, by id or name.
type entries[T any] map[string]T

// UnmarshalJSON reads so many, and no more.
func (b *entries[T]) UnmarshalJSON(text []byte) error {
	d := json.NewDecoder(bytes.NewReader(text))
	if t, err := d.Token(); err != nil || t == nil {
		*b = nil
		return err
	} else if t != json.Delim('{') {
		return fmt.Errorf("an object is expected, and there is %v", t)
	}
	all := entries[T]{}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return err
		}
		if len(all) == entriesMax {
			return fmt.Errorf("there are more than %d of a kind", entriesMax)
		}
		var is T
		if err := d.Decode(&is); err != nil {
			return err
		}
		all[key.(string)] = is
	}
	*b = all
	return nil
}

func depictionOf(s observe.Sample) depiction {
	is := depiction{
		Members: entries[across.Peer]{}, Peers: entries[across.Doing]{}, Runs: entries[across.RunLine]{},
		Hosts: entries[across.Activity]{}, Mute: s.Mute, Missing: s.Missing,
	}
	for _, m := range s.Members {
		is.Members[m.ID] = m
	}
	for _, d := range s.Peers {
		d.Loans = nil // they have lines of their own
		is.Peers[d.ID] = d
	}
	for _, r := range s.Runs {
		is.Runs[r.ID] = r
		is.Order = append(is.Order, r.ID)
	}
	for _, h := range s.Hosts {
		is.Hosts[h.By] = h
	}
	return is
}

func (is depiction) sample(grid string) observe.Sample {
	s := observe.Sample{Grid: grid, Mute: is.Mute, Missing: is.Missing}
	for _, m := range is.Members {
		s.Members = append(s.Members, m)
	}
	for _, d := range is.Peers {
		s.Peers = append(s.Peers, d)
	}
	for _, id := range is.Order {
		if r, ok := is.Runs[id]; ok {
			s.Runs = append(s.Runs, r)
		}
	}
	for _, h := range is.Hosts {
		s.Hosts = append(s.Hosts, h)
	}
	slices.SortFunc(s.Members, func(a, b across.Peer) int {
		return cmp.Or(strings.Compare(a.Site, b.Site), strings.Compare(a.ID, b.ID))
	})
	slices.SortFunc(s.Peers, func(a, b across.Doing) int {
		return cmp.Or(strings.Compare(a.Site, b.Site), strings.Compare(a.ID, b.ID))
	})
	slices.SortFunc(s.Hosts, func(a, b across.Activity) int { return strings.Compare(a.By, b.By) })
	return s
}

// Recorder writes a recording. It is to be closed, which does not close what it writes to.
type Recorder struct {
	to       counter
	z        *gzip.Writer
	was      []byte // the state as it was written last
	written  bool   // the preamble
	preamble Preamble
	fresh    Fresh
	room     int64 // for loans
}

// counter counts what goes through.
type counter struct {
	io.Writer
	n int64
}

func (c *counter) Write(p []byte) (int, error) {
	n, err := c.Writer.Write(p)
	c.n += int64(n)
	return n, err
}

// NewRecorder begins a recording of looks that are so far apart. Nothing is written before the
// first of them.
func NewRecorder(w io.Writer, began time.Time, every time.Duration) *Recorder {
	r := &Recorder{to: counter{Writer: w}, was: []byte("{}"), fresh: Fresh{}, room: LoansBytes}
	r.z = gzip.NewWriter(&r.to)
	r.preamble = Preamble{Satin: magic, Schema: console.Schema, Began: began.UTC().Truncate(time.Millisecond), Every: every.Seconds()}
	return r
}

// LoansMax bounds what single loans take of it; 0: there are none.
func (r *Recorder) LoansMax(bytes int64) { r.room = bytes }

// WantsLoans tells whether loans are written still.
func (r *Recorder) WantsLoans() bool { return r.room > 0 }

// addLoans writes the loans that have ended until a look, if there is room for them.
func (r *Recorder) addLoans(l Look) error {
	if !r.WantsLoans() {
		return nil
	}
	before := r.to.n
	if is := r.fresh.Of(l.Peers, l.At); is.any() {
		if err := r.write(lookLine{T: seconds(l.At), Loans: is.Of, Missed: is.Missed}); err != nil {
			return err
		}
	}
	if r.room -= r.to.n - before; r.room <= 0 {
		return r.write(lookLine{T: seconds(l.At), Last: true})
	}
	return nil
}

// Add writes a look, so that it is there though the recorder is killed. The loans that its peers
// tell of are written once each.
func (r *Recorder) Add(l Look) error {
	if !r.written {
		r.written, r.preamble.Grid = true, l.Grid
		if err := r.write(r.preamble); err != nil {
			return err
		}
	}
	is, err := json.Marshal(depictionOf(l.Sample))
	if err != nil {
		return err
	}
	if len(is) > lineMax {
		return fmt.Errorf("what the grid does takes %d bytes, and a recording has %d for it", len(is), lineMax)
	}
	patch, err := jsonpatch.CreateMergePatch(r.was, is)
	if err != nil {
		return err
	}
	r.was = is
	if err := r.addLoans(l); err != nil {
		return err
	}
	return r.write(lookLine{T: seconds(l.At), Is: patch, Silent: l.Silent})
}

func (r *Recorder) write(v any) error {
	if err := json.NewEncoder(r.z).Encode(v); err != nil {
		return err
	}
	return r.z.Flush()
}

// Bytes is how large it is so far.
func (r *Recorder) Bytes() int64 { return r.to.n }

// Every is how long to wait from one look to the next: the larger it is, the longer.
func (r *Recorder) Every() time.Duration {
	return time.Duration(r.preamble.Every*float64(time.Second)) << min(r.to.n/ThinAfter, thinMost)
}

// Close ends it after so long.
func (r *Recorder) Close(at time.Duration) error {
	if !r.written {
		return nil
	}
	return errors.Join(r.write(lookLine{T: seconds(at), End: true}), r.z.Close())
}

func seconds(d time.Duration) float64 { return float64(d.Milliseconds()) / 1000 }
