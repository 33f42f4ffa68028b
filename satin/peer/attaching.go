package peer

import (
	"satingrid/membership"
	"satingrid/steal"
)

// beginJoin notes one more, for the run of that id.
func (o *submissions) beginJoin(id steal.Key) (*submission, error) {
	if len(o.mine) >= SubmissionsMax {
		return nil, ErrTooMany
	}
	return o.add(&submission{joins: id, bare: true}), nil
}

// noRunMax is how often one is told that a run is not on which is known here, before that is
// believed: within some 25 s a grid that was in parts, or comes back, has compared what it knows.
const noRunMax = 6

// hearNoRun hears that the run which a submission is for is not on. Of one that is gone that says
// nothing: others may know of the run.
func (o *submissions) hearNoRun(a *arrival, n NoRun) []membership.Effect {
	if !a.isPresent() {
		return nil
	}
	return o.notOn(n)
}

// notOn takes it that the run which a submission is for is not on. Where it is known here, nobody
// who is left has heard of it, and this peer, or client, may bring it: once it was accepted as part
// of it, it would have been told of its end. What nobody has the root of, it can bring if it has. A
// client knows more runs than it may bring: who was part of them may all be lost.
func (o *submissions) notOn(n NoRun) []membership.Effect {
	s := o.own(n.Nonce)
	if s == nil || s.joins == (steal.Key{}) {
		return nil
	}
	root, held := o.known(s.joins)
	s.noRuns++
	switch {
	case s.known && root.Args != nil:
		s.root, s.joins, s.known, s.bare = root, steal.Key{}, false, false
	case !held || n.Rootless && root.Args == nil || s.noRuns >= noRunMax:
		o.do(NotOn{n.Nonce})
		o.finish(s, "", EndWithdrawn, s.id)
	}
	return o.flush()
}

// taskOf is the name of the root's task that a submission is for.
func (o *submissions) taskOf(s *submission) string {
	return o.standsFor(s).Task
}

// standsFor is the root of a submission: of one that attaches, what is known here of that run.
func (o *submissions) standsFor(s *submission) Root {
	if s.joins == (steal.Key{}) {
		return s.root
	}
	root, _ := o.known(s.joins)
	return root
}

// release ends a submission for which nothing is to be delivered here, and leaves what it keeps.
func (o *submissions) release(nonce steal.Nonce) []membership.Effect {
	if s := o.own(nonce); s != nil {
		o.finish(s, "", EndWithdrawn, s.id)
	}
	return o.flush()
}

// all is what ends with it when it is withdrawn: itself, and what it keeps.
func (s *submission) all() []steal.Submission {
	m := Submit{Submission: s.id, Terms: s.root.Terms}
	return m.submissions()
}
