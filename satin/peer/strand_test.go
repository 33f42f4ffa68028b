package peer

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/membership/addresses"
	"satingrid/steal"
)

// line is how it stands with those that one is to join.
type line struct {
	up            int
	tried, denied bool
}

func (l line) Sessions() int { return l.up }
func (l line) Tried() bool   { return l.tried }
func (l line) Denied() bool  { return l.denied }

// Who may be on its way in: one without a past and one with, clients, and one that was told of
// nobody.
var (
	newcomer    = joining{told: true}
	returner    = joining{told: true, past: true}
	clientOf    = joining{told: true, client: true}
	clientAnew  = joining{past: true, client: true}
	ofSixtyFour = joining{told: true, past: true, knows: addresses.LostMany}
	ofMany      = joining{told: true, past: true, knows: addresses.EntriesMax}
	founder     = joining{}

	clientOfMany = joining{told: true, client: true, knows: addresses.EntriesMax}
)

// TestStranded: who gives up or goes on alone, and when.
func TestStranded(t *testing.T) {
	gaveUp, gaveUpReached := []string{"is stranded, reached false"}, []string{"is stranded, reached true"}
	goesOn := []string{"goes on alone", "enters alone"}
	for event, c := range map[string]struct {
		joining
		line
		met, now time.Duration
		does     []string
	}{
		"a newcomer dials":               {newcomer, line{}, 0, foundWithin + pastMax - 1, nil},
		"a newcomer has dialled":         {newcomer, line{}, 0, foundWithin + pastMax, gaveUp},
		"a newcomer finds nobody":        {newcomer, line{tried: true}, 0, foundWithin, gaveUp},
		"somebody may come yet":          {newcomer, line{tried: true}, 0, foundWithin - 1, nil},
		"a newcomer is refused":          {newcomer, line{tried: true, denied: true}, 0, ms, gaveUp},
		"one refuses, one is dialled":    {newcomer, line{denied: true}, 0, ms, nil},
		"one refuses, one may answer":    {newcomer, line{up: 1, tried: true, denied: true}, ms, answerMax, nil},
		"no answer":                      {newcomer, line{up: 1, tried: true}, ms, ms + answerMax, gaveUpReached},
		"an answer may come yet":         {newcomer, line{up: 1, tried: true}, ms, ms + answerMax - 1, nil},
		"who founds waits for nobody":    {founder, line{tried: true}, 0, time.Hour, nil},
		"who is of the grid dials":       {returner, line{}, 0, pastMax - 1, nil},
		"who is of it has dialled":       {returner, line{}, 0, pastMax, goesOn},
		"who knows many dials":           {ofMany, line{}, 0, addresses.RoundMax - 1, nil},
		"who knows many has dialled all": {ofMany, line{}, 0, addresses.RoundMax, goesOn},
		"who knows few dials":            {ofSixtyFour, line{}, 0, pastMax, goesOn},
		"who knows many finds nobody":    {ofMany, line{tried: true}, 0, ms, goesOn},
		"who is of it finds nobody":      {returner, line{tried: true}, 0, ms, goesOn},
		"who is of it has no answer":     {returner, line{up: 1}, ms, ms + aloneAfter, goesOn},
		"who is of it may have one yet":  {returner, line{up: 1, tried: true}, ms, ms + aloneAfter - 1, nil},
		"who is of it is refused":        {returner, line{tried: true, denied: true}, 0, ms, gaveUp},
		"a client finds nobody":          {clientOf, line{tried: true}, 0, ms, gaveUp},
		"a client dials":                 {clientOf, line{}, 0, foundWithin + pastMax - 1, nil},
		"a client has dialled":           {clientOf, line{}, 0, foundWithin + pastMax, gaveUp},
		"a client dials many":            {clientOfMany, line{}, 0, foundWithin + addresses.RoundMax - 1, nil},
		"a client that knew the grid":    {clientAnew, line{tried: true}, 0, ms, gaveUp},
		"a client that reaches somebody": {clientOf, line{up: 1, tried: true}, ms, 2 * ms, nil},
		"a client has no answer":         {clientAnew, line{up: 1, tried: true}, ms, ms + answerMax, gaveUpReached},
	} {
		j := newJoiner(c.joining)
		j.begin(0)
		j.met = c.met
		does(t, event, j.tickStranded(c.now, c.line), c.does...)
		if at := j.strandedDeadline(0); (at == steal.Never) != (!c.told && !c.past || j.stranded) {
			t.Errorf("%s: it looks again at %v", event, at)
		}
	}
}

// TestHeardIsNotAlone: who hears others waits for an answer as long as it does, but not for ever.
func TestHeardIsNotAlone(t *testing.T) {
	j := newJoiner(newcomer)
	j.begin(0)
	j.contact(ms, "a1")
	up := line{up: 1, tried: true}
	for now := ms; now < heardMax; now += time.Second {
		j.hears(now, "a2")
		does(t, "it hears somebody", j.tickStranded(now, up))
		if at := j.strandedDeadline(now); at != min(now+answerMax, ms+heardMax) {
			t.Errorf("at %v it looks again at %v", now, at)
		}
	}
	does(t, "nobody answers", j.tickStranded(ms+heardMax, up), "is stranded, reached true")
	silent := newJoiner(newcomer)
	silent.begin(0)
	silent.contact(ms, "a1")
	silent.hears(time.Second, "a1")
	does(t, "an answer may come yet", silent.tickStranded(time.Second+answerMax-1, up))
	does(t, "it has heard nobody since", silent.tickStranded(time.Second+answerMax, up), "is stranded, reached true")
}

// TestRefusedByOneOfItsGrid: of two that are started anew one was kicked while it was off. A member
// that is still there refuses it, and the other, which is on its way in itself, says nothing. It
// founds no second grid with that one, as soon as nobody else may answer any more.
func TestRefusedByOneOfItsGrid(t *testing.T) {
	for event, c := range map[string]struct {
		line
		met, now time.Duration
	}{
		"one of both says nothing": {line{up: 1, tried: true, denied: true}, ms, ms + aloneAfter},
		"one of both is dialled":   {line{denied: true}, 0, pastMax},
	} {
		j := newJoiner(returner)
		j.begin(0)
		j.met = c.met
		does(t, event+", in time", j.tickStranded(c.now-1, c.line))
		does(t, event, j.tickStranded(c.now, c.line), "is stranded, reached false")
	}
}

// TestStrandedInTime: whoever is looked at when it says so, and when something happens, is found
// to be stranded no later than it may be, though a dial is always under way.
func TestStrandedInTime(t *testing.T) {
	const begun = time.Minute
	for name, c := range map[string]struct {
		joining
		line
		met  time.Duration // when it meets somebody; 0: never
		does string        // with when, since it was told to join
	}{
		"a newcomer that meets nobody": {newcomer, line{tried: true}, 0, "[is stranded, reached false] after 6s"},
		"a newcomer that meets one":    {newcomer, line{up: 1, tried: true}, 2 * time.Second, "[is stranded, reached true] after 7s"},
		"a newcomer that dials":        {newcomer, line{}, 0, "[is stranded, reached false] after 11s"},
		"a client that dials":          {clientOf, line{}, 0, "[is stranded, reached false] after 11s"},
		"a returner that dials":        {returner, line{}, 0, "[goes on alone enters alone] after 5s"},
		"a returner that meets one":    {returner, line{up: 1}, time.Second, "[goes on alone enters alone] after 3s"},
		"one of many that dials":       {ofMany, line{}, 0, "[goes on alone enters alone] after 12.8s"},
		"one of many that meets one":   {ofMany, line{up: 1}, 8 * time.Second, "[goes on alone enters alone] after 10s"},
		"one that meets one late":      {returner, line{up: 1}, 4 * time.Second, "[goes on alone enters alone] after 5s"},
		"a client that meets one":      {clientOf, line{up: 1}, time.Second, "[is stranded, reached true] after 6s"},
	} {
		j, now := newJoiner(c.joining), begun
		j.begin(begun)
		var did []string
		for at := j.strandedDeadline(now); len(did) == 0 && at < steal.Never; at = j.strandedDeadline(now) {
			if c.met > 0 && j.met == 0 && at >= begun+c.met {
				at = begun + c.met
				j.contact(at, "x")
			}
			now = at
			did = told(j.tickStranded(now, c.line))
		}
		if got := fmt.Sprintf("%v after %v", did, now-begun); got != c.does {
			t.Errorf("%s: it does %s, want %s", name, got, c.does)
		}
	}
}

// TestStrandedOnce: it is said once, and not of one that was let in a moment before, or that was
// told that there is no seat.
func TestStrandedOnce(t *testing.T) {
	over := line{tried: true}
	j := newJoiner(newcomer)
	j.begin(0)
	does(t, "nobody is there", j.tickStranded(foundWithin, over), "is stranded, reached false")
	does(t, "it is looked at again", j.tickStranded(time.Hour, over))
	for name, happens := range map[string]func(*joiner){
		"it is in":         func(j *joiner) { j.letIn(foundWithin - 1) },
		"there is no seat": func(j *joiner) { j.noSeat() },
	} {
		for _, who := range []joining{newcomer, returner, clientOf} {
			j := newJoiner(who)
			j.begin(0)
			happens(j)
			does(t, name, j.tickStranded(time.Hour, over))
			if j.canStrand() || j.strandedDeadline(0) != steal.Never || slices.Contains([]bool{j.active, j.seeks(0)}, true) {
				t.Errorf("%s, and it goes on", name)
			}
		}
	}
}
