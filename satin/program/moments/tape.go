package moments

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sort"
	"time"

	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
)

// speedMost is how many times as fast as it was a tape may go: a day in a minute and a half.
const speedMost = 1024

// Tape is a recording that stands at one of its moments. It reads no clock: time passes for it when
// it is told so.
type Tape struct {
	from  io.ReadSeeker
	marks []recording.Mark
	end   time.Duration
	close recording.Closing

	places  []foothold // sorted
	every   int        // looks from place to place
	kept    int        // bytes that they take, about
	resumed bool       // it is read on from one of them

	read        *recording.Playback
	sum         *recording.Summary
	before, now recording.Look
	seen        int // looks, until where it stands
	at          time.Duration
	speed       time.Duration // times as fast as it was
	playing     bool
	broken      error // why it cannot be read on
}

// NewTape is a recording that stands at its beginning, and plays. It is read to its end once, for
// how long it is.
func NewTape(ctx context.Context, from io.ReadSeeker) (*Tape, error) {
	t := &Tape{from: from, speed: 1, playing: true}
	if err := t.rewind(); err != nil {
		return nil, err
	}
	var err error
	if t.marks, err = t.read.Marks(); err != nil {
		return nil, err
	}
	if len(t.marks) == 0 {
		return nil, errors.New("it has no look")
	}
	t.end, t.close = t.read.End(), t.read.Closing()
	t.every = (len(t.marks) + placesMax - 1) / placesMax
	if err := t.rewind(); err != nil {
		return nil, err
	}
	return t, t.seek(ctx, 0)
}

// rewind opens it anew.
func (t *Tape) rewind() (err error) {
	if _, err = t.from.Seek(0, io.SeekStart); err != nil {
		return err
	}
	if t.read, err = recording.Open(t.from); err != nil {
		return err
	}
	t.sum = recording.NewSummary(t.read.Preamble)
	t.before, t.now, t.seen, t.broken, t.resumed = recording.Look{}, recording.Look{}, 0, nil, false
	return nil
}

// seek goes to a moment: what was to be seen then, and before the first look that. At the end it
// stands.
func (t *Tape) seek(ctx context.Context, at time.Duration) error {
	t.at = min(max(at, t.marks[0].At), t.end)
	t.playing = t.playing && t.at < t.end
	return t.show(ctx, sort.Search(len(t.marks), func(i int) bool { return t.marks[i].At > t.at }))
}

// show reads until so many looks were seen.
func (t *Tape) show(ctx context.Context, looks int) error {
	if err := t.jump(looks); err != nil {
		return err
	}
	for t.seen < looks {
		if t.broken != nil {
			return t.broken
		}
		if ctx.Err() != nil {
			return context.Cause(ctx)
		}
		l, err := t.read.Next()
		if errors.Is(err, io.EOF) {
			err = errors.New("it has become shorter")
		}
		if err != nil && t.resumed {
			// by chance it was no place at which one can go on
			if err := t.forget(); err != nil {
				return err
			}
			continue
		}
		if err != nil {
			t.playing, t.broken = false, fmt.Errorf("it cannot be read on: %w", err)
			continue
		}
		t.sum.Add(l)
		l.SingleLoans = recording.SingleLoans{} // they are in the sum
		t.before, t.now = t.now, l
		t.seen++
		t.keep()
	}
	return nil
}

// pass lets time pass, as the clock on the wall has it, and tells whether there is something else
// to be seen then.
func (t *Tape) pass(ctx context.Context, d time.Duration) (changed bool, err error) {
	if !t.playing {
		return false, nil
	}
	seen, was := t.seen, t.at
	err = t.seek(ctx, t.at+d*t.speed)
	return t.seen != seen || t.at/time.Second != was/time.Second || !t.playing, err
}

// step goes on or back by so many looks, and stays there.
func (t *Tape) step(ctx context.Context, looks int) error {
	t.playing = false
	n := min(max(t.seen+looks, 1), len(t.marks))
	t.at = t.marks[n-1].At
	return t.show(ctx, n)
}

// play lets it go on, or has it stand. One that is at its end begins anew.
func (t *Tape) play(ctx context.Context) error {
	t.playing = !t.playing
	if t.playing && t.at == t.end {
		return t.seek(ctx, 0)
	}
	return nil
}

// moment is where it stands.
func (t *Tape) moment() Moment {
	m := momentOf(observe.Between(t.before.Sample, t.now.Sample), t.sum)
	m.Tape = t.position()
	if t.at == t.end && t.seen == len(t.marks) {
		m.close = &t.close
		m.View.Warnings = append(m.Report().Endings(), m.View.Warnings...)
	}
	if t.seen < len(t.marks) && t.marks[t.seen].Silent && t.at > t.now.At {
		m.Trouble = fmt.Sprintf("nobody answers until %s", recording.Clock(t.marks[t.seen].At.Seconds()))
	}
	return m
}

// Position is where a tape stands, and how fast it goes.
type Position struct {
	Began   time.Time     // by the clock of who has recorded it
	At, End time.Duration // since then
	Look    int           // the one that is seen, from 1
	Looks   int           // that there are
	Speed   int           // times as fast as it was
	Playing bool
	Whole   bool   // the recorder has ended it
	Ended   string // how its run has, where it is of one; "": nobody has told
}

func (t *Tape) position() *Position {
	p := &Position{t.read.Preamble.Began, t.at, t.end, t.seen, len(t.marks), int(t.speed), t.playing, t.close.Whole, ""}
	if len(t.close.Runs) == 1 {
		p.Ended = t.close.Runs[0].How
	}
	return p
}

// String is that in a line.
func (p *Position) String() string {
	does := "stands"
	switch {
	case p.Playing:
		does = fmt.Sprintf("plays x%d", p.Speed)
	case p.At == p.End && !p.Whole:
		does = "ends here unfinished"
	case p.At == p.End:
		if does = "ends here"; p.Ended != "" {
			does += ", " + p.Ended
		}
	case p.Speed != 1:
		does = fmt.Sprintf("stands x%d", p.Speed)
	}
	return fmt.Sprintf("recorded %s: %s of %s, look %d of %d, %s", p.Began.Add(p.At).Local().Format("2006-01-02 15:04:05"),
		recording.Clock(p.At.Seconds()), recording.Clock(p.End.Seconds()), p.Look, p.Looks, does)
}
