package runs

import (
	"fmt"
	"slices"
	"time"

	"satingrid/satin"
)

// storyMax bounds the lines of one: a loss a minute for a day is more than half of it.
const storyMax = 2048

// story is that of one run.
type story struct {
	run     satin.RunStats // as it was at the last look
	over    bool           // nothing more will happen: it has its answer, or has ended
	ended   bool           // it is not on any more, …
	buried  time.Time      // … and when it was told how it has ended; zero: it was not
	missed  time.Time      // since when it was not among those that are on; zero: it is
	lines   []Happening
	dropped int // lines that were forgotten, the oldest

	written int // lines that its file has
	fresh   int // the last lines, which it has not
	// when it was read from there, where the run was not heard of since; zero: it was
	read time.Time
}

// Happening is one line of a run's story.
type Happening struct {
	Schema int       `json:"schema"`
	At     time.Time `json:"at"`
	Run    string    `json:"run"`
	Event  string    `json:"event"`
	Peer   string    `json:"peer,omitempty"`
	Site   string    `json:"site,omitempty"`
	How    string    `json:"how,omitempty"` // of a loss
	What   string    `json:"what,omitempty"`
}

// String is the line for a person.
func (h Happening) String() string {
	text := h.What
	switch h.Event {
	case "joined":
		text = h.Peer + " joined"
	case "left":
		text = h.Peer + " left"
	case "lost":
		text = fmt.Sprintf("%s lost (%s)", h.Peer, h.How)
	case "master":
		if text = h.Peer + " is master"; h.What != "" {
			text += ": " + h.What
		}
	}
	return h.At.Local().Format(time.TimeOnly) + " " + text
}

// enter adds a line, and forgets the oldest where there are too many.
func (s *story) enter(at time.Time, h Happening) {
	h.Schema, h.At, h.Run = schema, at.UTC().Truncate(time.Millisecond), s.run.ID.String()
	if len(s.lines) == storyMax {
		s.lines, s.dropped = slices.Delete(s.lines, 0, storyMax/8), s.dropped+storyMax/8
	}
	s.lines = append(s.lines, h)
	s.fresh = min(s.fresh+1, len(s.lines))
}

// end enters why the run is not on any more.
func (s *story) end(at time.Time, why string) {
	s.enter(at, Happening{Event: "ended", What: why})
	s.over, s.ended = true, true
}

// howEnded is how a run has ended, as satin.Event has it, in a sentence.
func howEnded(how string) string {
	switch how {
	case "answered":
		return "it is answered, and its answer is not kept"
	case "failed":
		return "it failed: its answer is an error, which is not kept"
	case "cancelled":
		return "it was cancelled"
	case "displaced":
		return "its answer is kept no longer: others needed its place"
	case "expired":
		return "its answer was kept for long enough"
	}
	return "it was given up: nobody waits for it any more"
}

// schema is the version of the lines, which is that of all JSON that commands print.
const schema = 1

// Story is a run's from some line on.
type Story struct {
	By    string      `json:"by"` // the host that tells: another numbers its lines by itself
	Run   string      `json:"run"`
	Lines []Happening `json:"lines"`
	Next  int         `json:"next"` // the number of the line after these
	Over  bool        `json:"over"` // nothing more will happen
}

// Story gives that of the run which a word means, from a line on, by its number. Lines that were
// forgotten are missing. The error is a *NotFound.
func (c *Chronicle) Story(word string, from int) (Story, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []satin.RunStats
	for _, s := range c.stories {
		all = append(all, s.run)
	}
	r, err := Find(all, word)
	if err != nil {
		return Story{}, err
	}
	s := c.storyOf(r.ID)
	at := min(max(0, from-s.dropped), len(s.lines))
	return Story{Run: r.ID.String(), Lines: slices.Clone(s.lines[at:]), Next: s.dropped + len(s.lines), Over: s.over}, nil
}
