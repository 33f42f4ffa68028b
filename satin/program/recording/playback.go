package recording

import (
	"bufio"
	"bytes"
	"cmp"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"

	jsonpatch "github.com/evanphx/json-patch/v5"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

// Playback reads a recording.
type Playback struct {
	Preamble Preamble
	Whole    bool // its end was read: nobody has killed who wrote it

	file  *countedFile // as it lies there, …
	text  *remembering // … decompressed, …
	lines *bufio.Scanner
	taken int64 // … and in lines, so many bytes
	is    []byte
	at    time.Duration
	loans SingleLoans // of the next look

	finales []Finale // that were read
}

// Open begins to read one. The error says that there is none.
func Open(r io.Reader) (*Playback, error) {
	file := &countedFile{from: bufio.NewReader(r)}
	z, err := gzip.NewReader(file)
	if err != nil {
		return nil, errNone
	}
	z.Multistream(false) // what follows a recording is none of it
	rd := play(file, &remembering{from: z})
	if !rd.lines.Scan() || json.Unmarshal(rd.lines.Bytes(), &rd.Preamble) != nil || rd.Preamble.Satin != magic {
		return nil, errNone
	}
	if rd.Preamble.Schema != console.Schema {
		return nil, fmt.Errorf("it is a recording of schema %d, and this build reads %d", rd.Preamble.Schema, console.Schema)
	}
	return rd, nil
}

var errNone = errors.New("it is no recording: satin record makes one")

// Next reads the next look. The error is [io.EOF] after the last one that is whole.
func (r *Playback) Next() (l Look, err error) {
	for {
		next, err := r.line()
		switch {
		case err != nil:
			return l, err
		case next.Is == nil && next.Last:
			r.loans.Last = true
		case next.Is == nil:
			r.loans = SingleLoans{Of: next.Loans, Missed: next.Missed}
		default:
			for id, loans := range r.loans.Of {
				r.loans.Of[id] = across.CleanLoans(loans)
			}
			r.loans.Missed = min(r.loans.Missed, missedMax*entriesMax)
			return r.look(next)
		}
	}
}

// line reads the next line that is no finale, unless it is the end.
func (r *Playback) line() (next lookLine, err error) {
	for {
		next, err = r.any()
		if err != nil || next.Ended == nil {
			return next, err
		}
		if next.Ended.clean(); len(r.finales) < finalesMax {
			r.finales = append(r.finales, *next.Ended)
		}
	}
}

// any reads the next line of any kind, unless it is the end.
func (r *Playback) any() (next lookLine, err error) {
	if r.Whole || !r.lines.Scan() {
		if err = r.lines.Err(); err == nil || errors.Is(err, io.ErrUnexpectedEOF) {
			err = io.EOF
		}
		return next, err
	}
	if err = json.Unmarshal(bytes.TrimSpace(r.lines.Bytes()), &next); err != nil {
		if !r.lines.Scan() { // a piece of what was being written
			return next, io.EOF
		}
		return next, fmt.Errorf("after %v: %w", r.at, err)
	}
	r.at = max(r.at, time.Duration(next.T*float64(time.Second)))
	if next.End {
		r.Whole = true
		return next, io.EOF
	}
	return next, nil
}

// look makes the next state of the one before.
func (r *Playback) look(next lookLine) (l Look, err error) {
	is, err := jsonpatch.MergePatch(r.is, next.Is)
	if err == nil && len(is) > lineMax {
		err = fmt.Errorf("the state has %d bytes, and %d are read", len(is), lineMax)
	}
	var now depiction
	if err == nil {
		err = json.Unmarshal(is, &now)
	}
	if err != nil {
		return l, fmt.Errorf("at %v: %w", r.at, err)
	}
	r.is = is
	l = Look{r.at, next.Silent, r.loans, now.sample(r.Preamble.Grid)}
	r.loans = SingleLoans{}
	return l, nil
}

// ViewAt reads on to what was to be seen so long after the beginning, between the last two looks
// until then, or at the first: what status --join showed. When that look was is told, too. The
// error is [io.EOF] where there is none.
func (r *Playback) ViewAt(at time.Duration) (v observe.View, when time.Duration, err error) {
	var before, now Look
	seen := 0
	for {
		l, err := r.Next()
		if err == nil && (l.At <= at || seen == 0) {
			before, now = now, l
			seen++
			continue
		}
		if err != nil && !errors.Is(err, io.EOF) || seen == 0 {
			return v, 0, cmp.Or(err, io.EOF)
		}
		v = observe.Between(before.Sample, now.Sample)
		v.Schema = console.Schema
		return v, now.At, nil
	}
}

// Mark is when a look was, and whether there was a time before it in which nobody answered.
type Mark struct {
	At     time.Duration
	Silent bool
}

// Marks reads on to the end for when the looks were: what was seen is not made of them, which is
// what takes most of the time.
func (r *Playback) Marks() (all []Mark, err error) {
	for {
		next, err := r.line()
		switch {
		case errors.Is(err, io.EOF):
			return all, nil
		case err != nil:
			return nil, err
		case next.Is != nil:
			all = append(all, Mark{r.at, next.Silent})
		}
	}
}

// End is when it ended, as far as it was read.
func (r *Playback) End() time.Duration { return r.at }
