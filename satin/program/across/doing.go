package across

import (
	"slices"

	"satingrid/satin"
)

// Activity is what the members at one site do, as one of them has gathered it, and how that one
// sees the grid.
type Activity struct {
	By    string         `json:"by"`    // its name
	Doing []Doing        `json:"doing"` // of each, its own too
	Sees  []SiteSeen     `json:"sees"`  // all sites
	Lost  map[string]int `json:"lost"`  // members that it has seen go, by how
	// the last of these, the latest first: builds before did not tell
	Gone []Absentee `json:"gone,omitempty"`
	// the last runs that have ended, the latest first: builds before did not tell
	Ended []Conclusion `json:"ended,omitempty"`
}

// Conclusion is that a run is on no more, as a member has heard.
type Conclusion struct {
	Run string `json:"run"` // its id
	// answered; failed; cancelled; withdrawn: nobody waits for it; expired: its answer was kept
	// for long enough; displaced: others needed the place of that
	How string  `json:"how"`
	At  float64 `json:"at"` // when, as Uptime of who tells
}

// Absentee is a member that has gone, as another has seen it.
type Absentee struct {
	Peer string `json:"peer"`
	ID   string `json:"id"`
	Site string `json:"site"`
	How  string `json:"how"`            // as in Lost
	Late bool   `json:"late,omitempty"` // it left before it had handed over everything
	// when, as Uptime of who tells: it stays the same from answer to answer
	At float64 `json:"at"`
	// seconds since it was last heard, then; 0: another has noticed
	Noticed float64 `json:"noticed_seconds,omitempty"`
}

// Doing is what a member does. Its figures only grow, unless said otherwise: whoever asks twice has
// what was done between from two answers, and from the uptime how long that took, by the clock of
// the host. So no host remembers who has asked when.
type Doing struct {
	Name    string `json:"name"`
	ID      string `json:"id"`
	Site    string `json:"site"`
	State   string `json:"state"`
	Workers int    `json:"workers"`
	Build   string `json:"build"`
	// false: it has not answered in time; what stands above is as the others see it, and the
	// rest is nothing
	Answers bool         `json:"answers"`
	Uptime  float64      `json:"uptime_seconds"`
	Totals  satin.Totals `json:"totals"`

	// These do not only grow.
	Memory int64      `json:"memory_bytes"`    // of the process
	Room   int64      `json:"memory_of_bytes"` // that it may have; 0: not known
	Load   *float64   `json:"load"`            // of its machine, over a minute; nil: not known
	Left   *float64   `json:"left_seconds"`    // until it has to be gone; nil: not known to
	Runs   []RunShare `json:"runs"`            // on which it has worked

	Loans []Loan `json:"loans,omitempty"` // that have ended here last, for who asks for them
}

// Loan is a job of another peer, or the root of a run, that a member has executed to its end.
type Loan struct {
	No   uint64  `json:"no"` // one more than the one that ended before it
	Run  string  `json:"run"`
	From string  `json:"from,omitempty"` // whose job it was, by name; "": it is a root
	What string  `json:"what,omitempty"` // which part of its problem; "": not known
	At   float64 `json:"at"`             // when it ended, as Uptime
	Took float64 `json:"took"`           // seconds, jobs that were waited for included
}

// RunShare is what a member does for a run that is on.
type RunShare struct {
	ID       string  `json:"id"`
	App      string  `json:"app"`
	Share    int     `json:"share"`
	Progress float64 `json:"progress"`
	Root     bool    `json:"root"` // it is the run's master
	Jobs     int64   `json:"jobs"`
	Busy     float64 `json:"busy_seconds"`
}

// SiteSeen is how a member sees a site.
type SiteSeen struct {
	Site  string `json:"site"`
	Peers int    `json:"peers"` // of which nothing is wrong
	Away  int    `json:"away"`  // that are suspected to be gone
}

// What is taken of an answer; more is cut off.
const (
	// RunsMax bounds the runs of which one member tells.
	RunsMax = 16
	// LoansMax bounds the loans of which one member tells at a time.
	LoansMax = 128
	sitesMax = 1 << 10
	waysMax  = 16 // to be lost
	// GoneMax bounds the members that have gone of which one tells.
	GoneMax = 32
	// EndedMax bounds the runs that have ended of which one tells.
	EndedMax = 32
)

func (a *Activity) clean() {
	a.By = word(a.By)
	a.Doing = slices.Clip(a.Doing[:min(len(a.Doing), listMax)])
	for i := range a.Doing {
		a.Doing[i].clean()
	}
	a.Sees = slices.Clip(a.Sees[:min(len(a.Sees), sitesMax)])
	for i := range a.Sees {
		a.Sees[i].Site = word(a.Sees[i].Site)
	}
	lost := map[string]int{}
	for how, n := range a.Lost {
		if len(lost) < waysMax {
			lost[word(how)] = n
		}
	}
	a.Lost = lost
	a.Gone = cleanGone(a.Gone[:min(len(a.Gone), GoneMax)])
	a.Ended = slices.Clip(a.Ended[:min(len(a.Ended), EndedMax)])
	for i := range a.Ended {
		a.Ended[i].Run, a.Ended[i].How = word(a.Ended[i].Run), word(a.Ended[i].How)
	}
}

// cleanGone are those of some that have gone at a time, with names that can be printed.
func cleanGone(some []Absentee) []Absentee {
	good := slices.DeleteFunc(some, func(d Absentee) bool {
		return !(d.At >= 0 && d.At < loanTimeMax) || !(d.Noticed >= 0 && d.Noticed < loanTimeMax)
	})
	for i := range good {
		d := &good[i]
		d.Peer, d.ID, d.Site, d.How = word(d.Peer), word(d.ID), word(d.Site), word(d.How)
	}
	return slices.Clip(good)
}

// What a loan may be; else it is none.
const (
	loanNoMax   = 1 << 53
	loanTimeMax = 1e10 // seconds
)

// CleanLoans are those of some that are loans, with names that can be printed.
func CleanLoans(some []Loan) []Loan {
	good := slices.DeleteFunc(some, func(l Loan) bool {
		return l.No > loanNoMax || !(l.At >= 0 && l.At < loanTimeMax) || !(l.Took >= 0 && l.Took <= l.At+1)
	})
	for i := range good {
		good[i].Run, good[i].From, good[i].What = word(good[i].Run), word(good[i].From), word(good[i].What)
	}
	return slices.Clip(good)
}

func (d *Doing) clean() {
	for _, s := range []*string{&d.Name, &d.ID, &d.Site, &d.State, &d.Build} {
		*s = word(*s)
	}
	d.Runs = slices.Clip(d.Runs[:min(len(d.Runs), RunsMax)])
	for i := range d.Runs {
		d.Runs[i].ID, d.Runs[i].App = word(d.Runs[i].ID), word(d.Runs[i].App)
	}
	d.Loans = CleanLoans(d.Loans[:min(len(d.Loans), LoansMax)])
}
