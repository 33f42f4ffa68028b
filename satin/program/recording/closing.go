package recording

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"satingrid/satin/program/across"
	"satingrid/satin/program/console"
	"satingrid/satin/program/observe"
)

const (
	finalesMax  = 16  // that are read of one recording
	whyMax      = 400 // bytes of why a run ended so
	endingsMost = 4   // sentences on how runs ended, in a list
)

// Finale is how a run ended, as the process tells that has waited for it and recorded it.
type Finale struct {
	Run   string `json:"run"` // its id; "": it had none yet
	App   string `json:"app"`
	Input string `json:"input"`
	// answered, failed, interrupted, out of time, or goes on
	How     string  `json:"how"`
	Why     string  `json:"why,omitempty"` // what was said of that
	Seconds float64 `json:"seconds"`       // it took until then
	Losses  []Bill  `json:"losses,omitempty"`
}

// notOn is what has happened to a run that was seen no more.
const notOn = " is not on any more"

// The ways to end.
const (
	Answered    = "answered"
	Failed      = "failed"
	Interrupted = "interrupted"
	OutOfTime   = "out of time"
	GoesOn      = "goes on" // on its grid: nobody here has waited for its end
	// as its peers tell:
	cancelled = "cancelled"
	givenUp   = "given up" // nobody waits for it any more
	// of one that was not on any more, of which nobody has told how it ended
	endedSomehow = "ended"
)

func (f *Finale) clean() {
	for _, s := range []*string{&f.Run, &f.App, &f.Input, &f.How, &f.Why} {
		*s = strings.Map(func(r rune) rune {
			if !unicode.IsPrint(r) {
				return ' '
			}
			return r
		}, strings.ToValidUTF8((*s)[:min(len(*s), whyMax)], "?"))
	}
	f.Losses = f.Losses[:min(len(f.Losses), billsMax)]
}

// Closing is what is known of a recording once its end was read.
type Closing struct {
	At    time.Duration // when it ended
	Whole bool          // the recorder has ended it
	Runs  []Finale
}

// Closing is that of this one, as far as it was read.
func (r *Playback) Closing() Closing { return Closing{r.at, r.Whole, r.finales} }

// End writes how a run has ended, whose recording this is: after the last look.
func (r *Recorder) End(at time.Duration, f Finale) error {
	if !r.written {
		return nil
	}
	return r.write(lookLine{T: seconds(at), Ended: &f})
}

// Close adds how it ended to a report of all looks.
func (r *Report) Close(c Closing) {
	r.Whole, r.Ends = c.Whole, c.At.Seconds()
	for _, f := range c.Runs {
		p := r.runOf(f)
		// which is what the last looks have seen of that
		seen := p.incident()
		p.State, p.Why, p.Took = f.How, f.Why, f.Seconds
		r.Happened = slices.DeleteFunc(r.Happened, func(i Incident) bool { return p.Gone > 0 && i.At == p.Gone && i.What == seen })
		r.Happened = append(r.Happened, Incident{At: r.Ends, What: runName(p.line()) + " " + p.ended()})
		r.adopt(f.Losses)
	}
	r.Hints = append(r.Hints, r.billHints()...)
}

// runOf is the run that ended so. Where it was over before anybody looked it is not there yet.
func (r *Report) runOf(f Finale) *RunSummary {
	i := slices.IndexFunc(r.Runs, func(p RunSummary) bool { return p.ID == f.Run })
	if i < 0 {
		i = len(r.Runs)
		r.Runs = append(r.Runs, RunSummary{ID: f.Run, From: max(r.Ends-f.Seconds, 0), To: r.Ends})
	}
	p := &r.Runs[i]
	p.App, p.Input = cmp.Or(p.App, f.App), cmp.Or(p.Input, f.Input)
	return p
}

func (p RunSummary) line() across.RunLine {
	return across.RunLine{ID: p.ID, App: p.App, Input: p.Input, State: p.State}
}

// ended is what became of a run, in words that follow its name.
func (p RunSummary) ended() string {
	far := ""
	if p.Progress > 0 {
		far = ", " + observe.Percent(p.Progress) + " done"
	}
	switch p.State {
	case Answered:
		return "is answered" + p.after()
	case Failed:
		return "failed" + p.after() + p.because()
	case Interrupted:
		return "was interrupted" + p.after() + far
	case OutOfTime:
		return "was out of time" + p.after() + far
	case cancelled:
		return "was cancelled" + far
	case givenUp:
		return "was given up, nobody waited for it any more" + far
	case GoesOn:
		return "goes on, and who recorded it has left it" + p.after() + far
	case endedSomehow:
		return fmt.Sprintf("was not on any more at %s%s: answered, cancelled or given up, the recording does not tell", Clock(p.Gone), far)
	}
	return "is " + p.State + " when the recording ends" + far
}

// incident is that a run is on no more, as it was seen.
func (p RunSummary) incident() string {
	if p.State == endedSomehow {
		return runName(p.line()) + notOn
	}
	return runName(p.line()) + " " + p.ended()
}

func (p RunSummary) after() string {
	if p.Took == 0 {
		return ""
	}
	return " after " + console.Brief(p.Took)
}

func (p RunSummary) because() string {
	if p.Why == "" {
		return ""
	}
	return ": " + p.Why
}

// Endings say which runs came to no answer, as far as that is known, and whether the recording was
// cut short: what matters first to who was away.
func (r *Report) Endings() (told []string) {
	if !r.Whole {
		told = append(told, fmt.Sprintf("The recording ends after %s, and not by its recorder's will: that was killed, or its machine. What came after is not known.",
			console.Brief(max(r.Ends, r.Seconds))))
	}
	more := 0
	for _, p := range slices.Backward(r.Runs) {
		switch {
		case p.State == Answered:
		case len(told) == endingsMost:
			more++
		default:
			told = append(told, runName(p.line())+" "+p.ended()+".")
		}
	}
	if more > 0 {
		told = append(told, fmt.Sprintf("And so on of %d runs before.", more))
	}
	return told
}

const (
	dearLeast = 1.0  // seconds of workers that a loss has cost at least, of which is told, …
	dearPart  = 0.01 // … and so much of all that they have done
)

// billHints are what would have helped, as the bills say.
func (r *Report) billHints() (all []string) {
	var dear *Bill
	for i, b := range r.Bills {
		if b.Late {
			all = append(all, fmt.Sprintf("%s had to go before it had handed over everything: more time to leave (--grace, or a notice earlier) saves what it still had.", b.Peer))
			continue
		}
		if !b.inOrder() && b.Redone != nil && (dear == nil || *b.Redone > *dear.Redone) {
			dear = &r.Bills[i]
		}
	}
	all = all[:min(len(all), hintsMax)]
	if dear == nil || *dear.Redone < dearLeast || *dear.Redone < dearPart*r.Grids.Busy {
		return all
	}
	text := fmt.Sprintf("Losing %s cost most, %s of work done again: told to leave (satin leave, SIGTERM, --lifetime), a peer hands over what it has.",
		dear.Peer, console.Brief(*dear.Redone))
	isSaid := func(hint string) bool { return strings.Contains(hint, "--copies") }
	if of(dear.Reused) == 0 && of(dear.Restarted) > 0 && !slices.ContainsFunc(r.Hints, isSaid) {
		text += " Nothing that it had finished was found: copies at shorter intervals (--copies), or a second site to keep them, may save some."
	}
	return append(all, text)
}
