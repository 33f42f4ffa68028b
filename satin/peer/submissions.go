package peer

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/membership/backoff"
	"satingrid/steal"
)

// Times and bounds of submissions.
const (
	submitGapMin = 500 * time.Millisecond
	submitGapMax = 5 * time.Second
	comeTogether = 50 * time.Millisecond // who come within that count as come together
	// delivered answers that are kept to be compared with later ones
	answersMax = 256
)

// ErrTooMany is what Submit returns when there are too many unanswered submissions.
var ErrTooMany = errors.New("satin: too many runs submitted at once; wait for an answer first")

// submissions are a peer's own, and the answers to those that have ended.
type submissions struct {
	outbox
	self    membership.PeerID
	addrs   []string // where it may be dialled
	rng     *rand.Rand
	members askable
	reports *reports
	knows   func(Submit) bool // whether a run is known here that it belongs to
	seeks   func() bool       // whether this peer is still on its way in
	failure runFailure
	refusal func(text string) steal.Result // of a run that is not begun
	// what was submitted for the run of that id, if that is known here
	known func(id steal.Key) (Root, bool)
	jobOf func(failed []byte) steal.Key // nil: errors are not compared

	mine      []*submission
	answers   []delivered
	differing bool // two answers are being compared
}

// submission is one of this peer's own, until it is answered or cancelled.
type submission struct {
	id     steal.Submission
	root   Root
	joins  steal.Key // the id of the run that it is for, of which it brings no root
	bare   bool      // the root has been sent: repeats go without it
	known  bool      // accepted: as part of run, which has this master
	safe   bool      // … which the death of one peer does not lose
	run    steal.Instance
	master membership.PeerID
	noRuns int // it was told so often that the run that it joins is not on
	tries  int
	again  time.Duration
	gap    backoff.Backoff
}

// delivered is an answer that was accepted.
type delivered struct {
	nonce  steal.Nonce
	task   string
	result steal.Result // with its bytes, or their sum when they are many
	isSum  bool
}

// begin notes one more, to be sent.
func (o *submissions) begin(root Root) (*submission, error) {
	if len(o.mine) >= SubmissionsMax {
		return nil, ErrTooMany
	}
	if err := o.fits(root); err != nil {
		return nil, err
	}
	if root.Args == nil {
		root.Args = []byte{}
	}
	root.Terms = root.Terms.settled()
	return o.add(&submission{root: root}), nil
}

func (o *submissions) add(s *submission) *submission {
	s.id = steal.Submission{Submitter: o.self, Nonce: steal.Nonce(o.rng.Uint64())}
	s.gap = backoff.New(submitGapMin, submitGapMax)
	o.mine = append(o.mine, s)
	return s
}

// begins is the run that a submission begins, where none is on that it may join.
func (s *submission) begins() steal.Instance {
	return steal.Instance{Run: s.root.Run, First: s.all()[0]}
}

// fits tells why a root cannot be submitted now: this peer waits for runs with as big ones
// as it may.
func (o *submissions) fits(root Root) error {
	bytes := len(root.Args)
	for _, s := range o.mine {
		bytes += len(s.root.Args)
	}
	if len(root.Args) <= rootAlong || bytes <= rootsFromMax {
		return nil
	}
	return fmt.Errorf("satin: the roots of the runs that were submitted here and have not ended would be %d MiB together: "+
		"%d may be; wait for an answer first", bytes>>20, rootsFromMax>>20)
}

// own is the one with that nonce, or nil.
func (o *submissions) own(nonce steal.Nonce) *submission {
	for _, s := range o.mine {
		if s.id.Nonce == nonce {
			return s
		}
	}
	return nil
}

// rootOf is the root of that digest, if one of them has it.
func (o *submissions) rootOf(digest steal.Key) []byte {
	for _, s := range o.mine {
		if s.root.Digest == digest {
			return s.root.Args
		}
	}
	return nil
}

// awaits tells whether one of them is among a run's.
func (o *submissions) awaits(all []steal.Submission) bool {
	return slices.ContainsFunc(o.mine, func(s *submission) bool { return slices.Contains(all, s.id) })
}

// bare is what is sent for a submission, without the root.
func (o *submissions) bare(s *submission) Submit {
	return Submit{Submission: s.id, Run: s.root.Run, Task: s.root.Task, RootDigest: s.root.Digest, Terms: s.root.Terms,
		Addrs: o.addrs, Asked: s.root.Asked, Joins: s.joins, Of: s.run.First}
}

// submit sends one to where it should be heard: the master, or the oldest; when they stay
// silent, every other time to anybody, who may reach them.
func (o *submissions) submit(now time.Duration, s *submission) []membership.Effect {
	s.again = now + s.gap.Next()
	m := o.bare(s)
	to, ok := o.members.Oldest()
	if master, present := o.members.Member(s.master); s.known && present {
		to = master
	}
	if s.tries++; s.tries%2 == 0 && to.ID != o.self {
		to, ok = o.members.Draw()
		// Nobody that this peer hears of has the root: the link to the oldest, which would
		// ask for it, may be dead.
		s.bare = s.bare && (s.known || s.joins != steal.Key{} || o.knows(m))
	}
	if !s.bare {
		m.Root = s.root.Args
		s.again += timeFor(len(m.Root))
	}
	switch {
	case !ok || o.seeks(): // nobody is there yet
	case to.ID == o.self:
		m.Root = s.root.Args
		o.do(submits{m})
	default:
		s.bare = true
		o.do(tells{to.ID, m})
	}
	return o.flush()
}

// anew sends all of them, now that there is a grid.
func (o *submissions) anew(now time.Duration) []membership.Effect {
	for _, s := range o.mine {
		s.gap.Reset()
		o.also(o.submit(now, s))
	}
	return o.flush()
}

// soon has them sent now that somebody has come, where nobody who is here is known to have taken
// it: whoever had may have died before another had heard of the run. Who learns of many members
// at once submits once.
func (o *submissions) soon(now time.Duration) {
	for _, s := range o.mine {
		if _, present := o.members.Member(s.master); !s.known || !present {
			s.again = min(s.again, now+comeTogether)
			s.gap.Reset()
		}
	}
}

// tick sends those again that are due.
func (o *submissions) tick(now time.Duration) []membership.Effect {
	for _, s := range o.mine {
		if now >= s.again {
			o.also(o.submit(now, s))
		}
	}
	return o.flush()
}

func (o *submissions) deadline() time.Duration {
	at := steal.Never
	for _, s := range o.mine {
		at = min(at, s.again)
	}
	return at
}

// hearAccepted hears that a run is under way for a submission. When a member that is gone says that
// it is safe, the others that hold the run may be gone, too: it is asked again.
func (o *submissions) hearAccepted(now time.Duration, a *arrival, m Accepted) []membership.Effect {
	m.Safe = m.Safe && a.isPresent()
	return o.accepted(now, m)
}

// accepted takes it that a run is under way for a submission. One that is to be kept is repeated
// often until it is safe: if its master dies before, nobody may know of it.
func (o *submissions) accepted(now time.Duration, a Accepted) []membership.Effect {
	o.reports.accepted(a.Nonce, a.Run)
	s := o.own(a.Nonce)
	if s == nil {
		return nil
	}
	o.joinedRun(a.Nonce, a.Run)
	was := s.safe
	s.master, s.safe = a.Master, was || a.Safe || s.root.Terms.Keep == 0
	if s.safe {
		s.again = now + s.gap.Longest()
	}
	if s.safe && !was {
		o.do(Admitted{a.Nonce, a.Run})
	}
	return o.flush()
}

// joinedRun hears which run a submission has joined.
func (o *submissions) joinedRun(nonce steal.Nonce, run steal.Instance) {
	if s := o.own(nonce); s != nil {
		s.safe = s.safe && s.run == run
		s.known, s.run, s.noRuns = true, run, 0
	}
}

// hearNeedRoot hears that somebody needs the root of a submission. It is sent that, if it is here:
// else two that lack it would ask each other without end. Repeats go on as they would: the master
// that they go to may be dead, and this peer not know it.
func (o *submissions) hearNeedRoot(from membership.PeerID, n NeedRoot) []membership.Effect {
	if s := o.own(n.Nonce); s != nil {
		if root := o.standsFor(s); root.Args != nil {
			m := o.bare(s)
			m.Root, m.RootDigest = root.Args, root.Digest
			o.do(tells{from, m})
		}
	}
	return o.flush()
}

// askedIfWanted answers one that asks whether a submission of this peer's is still wanted.
func (o *submissions) askedIfWanted(from membership.PeerID, id steal.Submission) []membership.Effect {
	if s := o.own(id.Nonce); s != nil {
		m := o.bare(s)
		m.Addrs = nil
		o.do(tells{from, m})
	} else {
		o.do(tells{from, Ended{[]Tombstone{o.stone(id.Nonce)}}})
	}
	return o.flush()
}

// stone is the tombstone of a submission that nobody waits for here any more.
func (o *submissions) stone(nonce steal.Nonce) Tombstone {
	t := Tombstone{Submission: steal.Submission{Submitter: o.self, Nonce: nonce}}
	if i := slices.IndexFunc(o.answers, func(d delivered) bool { return d.nonce == nonce }); i >= 0 {
		t.How = answeredBy(o.answers[i].result)
	}
	return t
}

// isOwn tells whether it is this peer, in this life, that waits for a submission.
func (o *submissions) isOwn(s steal.Submission) bool {
	return s.Submitter == o.self && o.own(s.Nonce) != nil
}

// hearFull hears that there is no room for a submission: it ends.
func (o *submissions) hearFull(f Full) []membership.Effect {
	s := o.own(f.Nonce)
	if s == nil || s.known {
		return nil
	}
	o.do(Deliver{Nonce: s.id.Nonce, Result: o.refusal(f.why(len(s.root.Args)))})
	o.finish(s, "", EndWithdrawn, s.all()...)
	return o.flush()
}

// endedElsewhere hears that somebody else has ended a submission, or cancelled the run of which it
// is the first.
func (o *submissions) endedElsewhere(t Tombstone) []membership.Effect {
	for _, s := range slices.Clone(o.mine) {
		isPart := t.How == EndCancelled && s.run != (steal.Instance{}) && s.run.First == t.Submission
		if s.id != t.Submission && !isPart {
			continue
		}
		o.drop(s)
		o.do(Deliver{Nonce: s.id.Nonce, Result: o.failure(o.taskOf(s), s.root.Run, "", givenUp(t.How))})
		if s.id != t.Submission {
			o.do(buries(endOf(s.all(), EndCancelled)))
		}
	}
	return o.flush()
}

// cancel ends a submission for which nothing is to be delivered, and what it has kept.
func (o *submissions) cancel(nonce steal.Nonce) []membership.Effect {
	if s := o.own(nonce); s != nil {
		o.finish(s, "", EndWithdrawn, s.all()...)
	}
	return o.flush()
}

// answered delivers the first answer and compares later ones with it. All are acknowledged; so is
// the answer to a submission that is not known here, which nobody waits for any more.
func (o *submissions) answered(nonce steal.Nonce, result steal.Result, from membership.PeerID) []membership.Effect {
	if s := o.own(nonce); s != nil {
		o.do(Deliver{Nonce: nonce, Result: result})
		if s.known && !s.safe {
			o.do(Admitted{nonce, s.run})
		}
		if len(o.answers) == answersMax {
			o.answers = o.answers[1:]
		}
		o.answers = append(o.answers, delivered{nonce, o.taskOf(s), short(result), isLong(result)})
		o.finish(s, from, answeredBy(result), s.id)
		return o.flush()
	}
	for _, d := range o.answers {
		if d.nonce == nonce && o.contradicts(d, result) {
			o.differ(nonce)
		}
	}
	if from != o.self {
		o.do(tells{from, Ended{[]Tombstone{o.stone(nonce)}}})
	}
	return o.flush()
}

// finish drops a submission, answered by a peer or cancelled, and says to all what has ended.
func (o *submissions) finish(s *submission, by membership.PeerID, how Epitaph, all ...steal.Submission) {
	o.drop(s)
	ended := endOf(all, how)
	o.do(buries(ended))
	o.publish(ended)
	if by = cmp.Or(by, s.master); by != "" && by != o.self {
		o.do(tells{by, ended})
	}
}

func (o *submissions) drop(s *submission) {
	o.mine = slices.DeleteFunc(o.mine, func(other *submission) bool { return other == s })
}
