// Package chaos reads scripts of what shall go wrong in a grid of processes on this machine,
// and makes it happen.
//
// [Parse] reads a script, [Engine] fires its events when they are due, at a [Ground], the grid. The
// engine reads no clock: whoever owns it tells it how much time has gone and how far the run is.
//
// # The language
//
//	kill b/1@3s; stop a/2@20%; cont a/2@60%; leave b@50%; join c:2@50%
//	cut a|b@30%; cut a>b@30%; heal@60%
//	kill master@30%; kill any@every 2s; join any@every 2s
//
// Events are separated by semicolons. Each has a time: from the start of the run, by its progress,
// or again and again. What is said of a run's progress is its own guess, which may be wrong by far:
// an event at 50% comes when the guess reaches that, and a run that ends before has missed it. A
// peer is site/number from 1; a site's name alone is all of its peers; any is drawn.
package chaos

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"satingrid/satin/program/local"
)

// Limits of a script.
const (
	textMax   = 16 << 10
	eventsMax = 256
	everyMin  = 10 * time.Millisecond // below, nothing but the script would run
)

// Verb is what an event does.
type Verb string

// The verbs.
const (
	Kill  Verb = "kill"
	Stop  Verb = "stop"
	Cont  Verb = "cont"
	Leave Verb = "leave"
	Join  Verb = "join"
	Cut   Verb = "cut"
	Heal  Verb = "heal"
)

// Fault is one thing that shall happen.
type Fault struct {
	Text string // as it was written
	Verb Verb
	Who  Whom       // of kill, stop, cont, leave
	Site local.Site // of join; its name is "" for any
	Cut  local.Cut  // of cut
	When When
}

// Whom is whom an event is about: any one, the master, a peer, or all peers of a
// site where Number is 0.
type Whom struct {
	Any    bool
	Master bool
	Site   string
	Number int
}

// When is one of: a time from the start, a share of the progress as the run guesses it (with
// ByProgress), a period.
type When struct {
	After      time.Duration
	ByProgress bool
	Progress   float64 // 0 to 1
	Every      time.Duration
}

// Parse reads a script for a grid that starts with these sites.
func Parse(text string, sites []local.Site) ([]Fault, error) {
	if len(text) > textMax {
		return nil, fmt.Errorf("the script is %d bytes: %d at most", len(text), textMax)
	}
	var script []Fault
	for i, words := range strings.Split(text, ";") {
		words = strings.TrimSpace(words)
		if words == "" {
			continue
		}
		if len(script) == eventsMax {
			return nil, fmt.Errorf("the script has more than %d events", eventsMax)
		}
		e, err := parseEvent(words)
		if err != nil {
			return nil, fmt.Errorf("event %d, %q: %w", i+1, words, err)
		}
		script = append(script, e)
	}
	if len(script) == 0 {
		return nil, errors.New("the script has no event, such as kill b/1@3s")
	}
	return script, check(script, sites)
}

func parseEvent(text string) (Fault, error) {
	e := Fault{Text: text}
	what, when, timed := strings.Cut(text, "@")
	word, object, _ := strings.Cut(strings.TrimSpace(what), " ")
	object = strings.TrimSpace(object)
	e.Verb = Verb(word)
	var err error
	switch e.Verb {
	case Kill, Stop, Cont, Leave:
		e.Who, err = ParseWhom(object)
	case Join:
		if object != "any" {
			e.Site, err = local.ParseSite(object)
		}
	case Cut:
		e.Cut, err = parseCut(object)
	case Heal:
		if object != "" {
			err = fmt.Errorf("heal ends all cuts and is about nobody, but there is %q", object)
		}
	default:
		err = fmt.Errorf("%q is no event; kill, stop, cont, leave, join, cut and heal are", word)
	}
	if err != nil {
		return e, err
	}
	if !timed {
		return e, errors.New("it has no time, such as @3s, @50% or @every 2s")
	}
	e.When, err = parseWhen(strings.TrimSpace(when))
	return e, err
}

// ParseWhom reads whom an event is about, such as b/1.
func ParseWhom(text string) (Whom, error) {
	switch text {
	case "":
		return Whom{}, errors.New("who? A peer such as b/1, a site such as b, any or master is expected")
	case "any":
		return Whom{Any: true}, nil
	case "master":
		return Whom{Master: true}, nil
	}
	site, number, one := strings.Cut(text, "/")
	w := Whom{Site: site}
	if err := local.CheckName(site); err != nil {
		return w, err
	}
	if !one {
		return w, nil
	}
	var err error
	if w.Number, err = strconv.Atoi(number); err != nil || w.Number < 1 {
		return w, fmt.Errorf("%q: the number of a peer, from 1, is expected after the slash", text)
	}
	return w, nil
}

func parseCut(text string) (local.Cut, error) {
	from, to, both := strings.Cut(text, "|")
	if !both {
		var one bool
		if from, to, one = strings.Cut(text, ">"); !one {
			return local.Cut{}, fmt.Errorf("%q: two sites are expected, as in a|b, or a>b for one way", text)
		}
	}
	c := local.Cut{From: strings.TrimSpace(from), To: strings.TrimSpace(to), Both: both}
	for _, site := range []string{c.From, c.To} {
		if err := local.CheckName(site); err != nil {
			return c, err
		}
	}
	if c.From == c.To {
		return c, fmt.Errorf("%q: a site cannot be cut off from itself", text)
	}
	return c, nil
}

func parseWhen(text string) (When, error) {
	if period, ok := strings.CutPrefix(text, "every "); ok {
		d, err := time.ParseDuration(strings.TrimSpace(period))
		if err != nil || d < everyMin {
			return When{}, fmt.Errorf("%q is no period: a duration of %v or more is expected, such as 2s", period, everyMin)
		}
		return When{Every: d}, nil
	}
	if share, ok := strings.CutSuffix(text, "%"); ok {
		p, err := strconv.ParseFloat(share, 64)
		if err != nil || !(p >= 0 && p <= 100) {
			return When{}, fmt.Errorf("%q is no progress: 0%% to 100%% is expected", text)
		}
		return When{ByProgress: true, Progress: p / 100}, nil
	}
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return When{}, fmt.Errorf("%q is no time: one such as 3s, 50%% or every 2s is expected", text)
	}
	return When{After: d}, nil
}

// check refuses events about peers and sites that never can be.
func check(script []Fault, sites []local.Site) error {
	peers, endless := map[string]int{}, map[string]bool{}
	for _, s := range sites {
		peers[s.Name] = s.Peers
	}
	for _, e := range script {
		if e.Verb != Join {
			continue
		}
		if e.Site.Name == "" { // of any site
			for _, s := range sites {
				peers[s.Name]++
				endless[s.Name] = endless[s.Name] || e.When.Every > 0
			}
			continue
		}
		peers[e.Site.Name] += e.Site.Peers
		endless[e.Site.Name] = endless[e.Site.Name] || e.When.Every > 0
	}
	for i, e := range script {
		for _, site := range []string{e.Who.Site, e.Cut.From, e.Cut.To} {
			if site != "" && peers[site] == 0 {
				return fmt.Errorf("event %d, %q: there is no site %q", i+1, e.Text, site)
			}
		}
		if e.Who.Number > peers[e.Who.Site] && !endless[e.Who.Site] {
			return fmt.Errorf("event %d, %q: site %s has %d peers", i+1, e.Text, e.Who.Site, peers[e.Who.Site])
		}
	}
	return nil
}

// HasCuts tells whether a script needs something between the sites that can be cut.
func HasCuts(script []Fault) bool {
	for _, e := range script {
		if e.Verb == Cut {
			return true
		}
	}
	return false
}
