package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/steal"
)

// Times of a run whose submitter is not heard.
const (
	// a submission whose submitter has not been heard for so long is withdrawn,
	// and its answer dropped
	UnheardMax = time.Hour
	wantedMin  = 500 * time.Millisecond
	wantedMax  = 8 * time.Second
)

// Wanted asks a submitter, in person or by way of another peer, whether a submission is still
// wanted. A repeat of the submission says yes, Ended says no.
type Wanted struct {
	Submission steal.Submission
	Hops       uint8
}

func (Wanted) Kind() uint8 { return KindWanted }

// demand is what a peer knows of whether a run is on, and still wanted: who vouches for it, what
// was heard of those who wait for it, and what speaks against it.
type demand struct {
	outbox
	self   membership.PeerID
	others askable

	// more than a record tells that the run is on: a living master, or a submitter
	vouched bool
	heard   map[steal.Submission]time.Duration // at the master: when each submitter was heard
	down    map[membership.PeerID]downSince    // submitters whose connection broke
	again   time.Duration                      // when to ask again; Never: there is no need
	gap     backoff.Backoff
	// this peer brought a submitter something of the master's, who may not reach it
	between bool
	turn    int  // whose turn it is to be asked
	hearsay bool // only a client has told of the run, and not its own
	madeUp  bool // perhaps: it was first heard of under such an epoch
	lacked  lacked
	// since when this peer, which is to succeed its master, doubts that there is such a run;
	// 0: it does not
	doubted time.Duration
}

// mayStart tells whether a root may be restarted for those who wait for it, of whom this peer may
// be one, or because the run is kept. A master that holds only the record asks the submitters
// first: the run may have ended while this peer, or whoever it has the record from, was cut off,
// stopped, or alone with a client.
func (w *demand) mayStart(now time.Duration, all []steal.Submission, ownOrKept bool) (bool, []membership.Effect) {
	if w.vouched || ownOrKept {
		w.again = steal.Never
		return true, nil
	}
	if w.again == steal.Never {
		w.gap = backoff.New(wantedMin, wantedMax)
		w.ask(now, all)
	}
	return false, w.flush()
}

// doubts tells whether a run that may be made up is not believed in yet. Who waits for it is asked
// once its master is gone, and says so, or it is none.
func (w *demand) doubts(now time.Duration, all []steal.Submission) (bool, []membership.Effect) {
	switch {
	case w.doubted == 0:
		w.doubted, w.vouched, w.gap = max(now, 1), false, backoff.New(wantedMin, wantedMax)
		w.ask(now, all)
	case w.vouched:
		w.doubted, w.again = 0, steal.Never
	}
	return w.doubted != 0, w.flush()
}

// ask asks the next submitter, in person and by way of any member: that one may reach it.
func (w *demand) ask(now time.Duration, all []steal.Submission) {
	w.again = now + w.gap.Next()
	if len(all) == 0 {
		return
	}
	s := all[w.turn%len(all)]
	w.turn++
	if s.Submitter == w.self { // an earlier life of this process asked for it
		w.do(withdraws{[]Tombstone{{Submission: s}}})
		return
	}
	w.do(tells{s.Submitter, Wanted{Submission: s}})
	if m, ok := w.others.Draw(); ok && m.ID != s.Submitter {
		w.do(tells{m.ID, Wanted{Submission: s}})
	}
}

// tick asks again where this peer is the master, or doubts that there was one; anybody else need
// not.
func (w *demand) tick(now time.Duration, isMaster bool, all []steal.Submission) []membership.Effect {
	if !isMaster && w.doubted == 0 {
		w.again = steal.Never
	} else if now >= w.again {
		w.ask(now, all)
	}
	return w.flush()
}

// pass passes on, once, what a submitter of the run is asked by another.
func (w *demand) pass(m Wanted) []membership.Effect {
	if m.Hops == 0 {
		w.between = true
		m.Hops++
		w.do(tells{m.Submission.Submitter, m})
	}
	return w.flush()
}

// asks notes that a submitter asks for the run again.
func (w *demand) heardFrom(now time.Duration, s steal.Submission) {
	if w.heard == nil {
		w.heard = map[steal.Submission]time.Duration{}
	}
	w.heard[s] = now
}

// vouch notes that the run is on, and tells whether that is news.
func (w *demand) vouch() (news bool) {
	news = !w.vouched
	w.vouched = true
	return news
}

// unheard withdraws, at the master, what nobody has asked for in a long time, or whose submitter
// was seen to die. Of what this peer waits for itself it hears nothing.
func (w *demand) unheard(now time.Duration, all []steal.Submission, isOwn func(steal.Submission) bool) []membership.Effect {
	var over withdraws
	for _, s := range all {
		if isOwn(s) {
			continue
		}
		if at, ok := w.heard[s]; !ok {
			w.heardFrom(now, s)
		} else if now-at >= UnheardMax || w.isBereft(now, s) {
			over.Submissions = append(over.Submissions, Tombstone{Submission: s})
		}
	}
	if len(over.Submissions) > 0 {
		w.do(over)
	}
	return w.flush()
}

// isForsaken tells whether none of a run's submitters has been heard for long.
func (w *demand) isForsaken(now time.Duration, all []steal.Submission, isOwn func(steal.Submission) bool) bool {
	return !slices.ContainsFunc(all, func(s steal.Submission) bool {
		at, known := w.heard[s]
		return !known || now-at < awayMax || isOwn(s)
	})
}
