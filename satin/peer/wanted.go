package peer

import (
	"slices"
	"time"

	"satingrid/membership"
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

// wanted is what a peer knows of who waits for a run.
type wanted struct {
	// more than a record tells that the run is on: a living master, or a submitter
	vouched bool
	heard   map[steal.Submission]time.Duration // at the master: when each submitter was heard
	down    map[membership.PeerID]downSince    // submitters whose connection broke
	again   time.Duration                      // when to ask again; Never: there is no need
	gap     time.Duration
	// this peer brought a submitter something of the master's, who may not reach it
	between bool
	turn    int           // whose turn it is to be asked
	passAt  time.Duration // no answer goes back the way that a submission came before this
}

// isWanted tells whether a root may be restarted. A master that holds only the record asks the
// submitters first: the run may have ended while this peer, or whoever it has the record from, was
// cut off, stopped, or alone with a client.
func (p *Peer) isWanted(r *run) bool {
	own := p.submissions.awaits(r.submissions)
	if r.vouched || own {
		r.wanted.again = steal.Never
		return true
	}
	if r.wanted.again == steal.Never {
		r.wanted.gap = wantedMin
		p.askIfWanted(r)
	}
	return false
}

// askIfWanted asks the next submitter, in person and by way of any member: that one may reach it.
func (p *Peer) askIfWanted(r *run) {
	r.wanted.again = p.now + r.wanted.gap
	r.wanted.gap = min(2*r.wanted.gap, wantedMax)
	if len(r.submissions) == 0 {
		return
	}
	s := r.submissions[r.wanted.turn%len(r.submissions)]
	r.wanted.turn++
	if s.Submitter != p.conf.Member.ID {
		p.send(s.Submitter, Wanted{Submission: s})
	} else {
		p.endedElsewhere("", Ended{[]Tombstone{{Submission: s}}}) // an earlier life of this process asked for it
		return
	}
	if m, ok := p.view.Draw(); ok && m.ID != s.Submitter {
		p.send(m.ID, Wanted{Submission: s})
	}
}

// askedIfWanted answers for this peer's own submissions, and passes on what is asked of another.
func (p *Peer) askedIfWanted(from membership.PeerID, w Wanted) {
	if over, some := p.tombstones.over(p.now, w.Submission); some {
		p.send(from, over)
		return
	}
	switch s := p.submissions.own(w.Submission.Nonce); {
	case w.Submission.Submitter != p.conf.Member.ID:
		if r := p.runs.awaitedBy(w.Submission); w.Hops == 0 && r != nil {
			r.between = true
			w.Hops++
			p.send(w.Submission.Submitter, w)
		}
	case s == nil:
		p.send(from, Ended{[]Tombstone{{Submission: w.Submission}}})
	default:
		p.send(from, Submit{Submission: s.id, Run: s.root.Run, Task: s.root.Task, RootDigest: s.root.Digest, Terms: s.root.Terms})
	}
}

// heardOf notes that a submitter asks for a run, again perhaps.
func (p *Peer) heardOf(r *run, m Submit, from membership.PeerID) {
	if r == nil {
		return
	}
	if r.heard == nil {
		r.heard = map[steal.Submission]time.Duration{}
	}
	if slices.Contains(r.submissions, m.Submission) {
		r.heard[m.Submission] = p.now
		if from == m.Submission.Submitter {
			p.submitterLives(from)
		}
		p.answerBack(r, m.Submission, from)
	}
	if !r.vouched {
		r.vouched, p.succession = true, true
	}
	if r.root == nil && m.Root != nil && m.RootDigest == r.rootDigest && len(m.Root) == int(r.rootBytes) && p.runs.mayHold(r) {
		p.rootCame(r, m.Root)
	}
}

// answerBack sends an answer that is kept here back the way that its submission came, when the
// straight way seems not to work.
func (p *Peer) answerBack(r *run, s steal.Submission, from membership.PeerID) {
	if r.answer == nil || from == p.conf.Member.ID || p.now < r.passAt {
		return
	}
	for _, d := range r.deliveries {
		if d.to == s && (from == s.Submitter || d.tries < 2) {
			return // it is on its way
		}
	}
	r.passAt = p.now + answerGapMin + timeFor(len(r.answer.Bytes))
	p.apply(r.answering.sendBy(s, from, r.epoch))
}

// passAnswer passes an answer on to its submitter, which its sender may not reach.
func (p *Peer) passAnswer(r *run, from membership.PeerID, a Answer) {
	s := steal.Submission{Submitter: a.To, Nonce: a.Nonce}
	if over, some := p.tombstones.over(p.now, s); some {
		p.send(from, over)
		return
	}
	if r == nil || !slices.Contains(r.submissions, s) || from == a.To {
		return
	}
	r.between = true
	a.Best = r.best.stamp(a.To, lifeOf(p.view, a.To).incarnation)
	p.send(a.To, a)
}

// tickWanted asks again, and withdraws what nobody has asked for in a long time.
func (p *Peer) tickWanted(r *run) {
	if r.master != p.conf.Member.ID {
		r.wanted.again = steal.Never
		return
	}
	if p.now >= r.wanted.again {
		p.askIfWanted(r)
	}
	var ended Ended
	for _, s := range r.submissions {
		if s.Submitter == p.conf.Member.ID && p.submissions.own(s.Nonce) != nil {
			continue
		}
		if r.heard == nil {
			r.heard = map[steal.Submission]time.Duration{}
		}
		if at, ok := r.heard[s]; !ok {
			r.heard[s] = p.now
		} else if p.now-at >= UnheardMax || r.isBereft(s, p.now) {
			ended.Submissions = append(ended.Submissions, Tombstone{Submission: s})
		}
	}
	if len(ended.Submissions) > 0 {
		p.endedElsewhere("", ended)
	}
}
