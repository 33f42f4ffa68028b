package peer

import (
	"bytes"
	"fmt"
	"slices"

	"satingrid/membership"
	"satingrid/steal"
)

// Bounds of what Verify keeps: the arguments of drawn loans until they come back, and the jobs
// that are executed again.
const (
	notesMax   = 256
	notesBytes = 64 << 20
	checksMax  = 16
)

// note is what is remembered of a loan besides what the ledger has: its task's name, and its
// arguments when it was drawn to be verified.
type note struct {
	ref  steal.Ref
	task string
	args []byte // nil: not drawn
}

// check is a returned job that is executed here once more, before its result is used. Meanwhile the
// loan stays in the ledger and is not acknowledged, so the thief repeats its result, and whatever
// happens to either peer happens as to any loan.
type check struct {
	borrow steal.Borrow // of the second execution
	run    steal.Instance
	task   string
	thief  membership.PeerID
	name   string
	ret    steal.Return
	key    steal.Key
}

// noteLent remembers the tasks of jobs that were lent, and draws those to be verified. Parts of
// what is executed to verify a result are left out, wherever they are lent: each level would double
// the work. So are jobs that are only passed on: who spawned them has drawn, and one that went
// through ten hands would be executed again by each, one after another.
func (p *Peer) noteLent(r *run, jobs []Job) {
	if len(p.notes) > 2*p.ledger.Lent()+64 {
		p.notes = slices.DeleteFunc(p.notes, func(n note) bool { return !p.ledger.HasRef(n.ref) })
	}
	for _, j := range jobs {
		n := note{ref: j.Ref, task: j.Task}
		if r.terms.Verify > 0 && !j.Verifies && !j.PassedOn && p.rng.Float64() < r.terms.Verify && p.hasRoomFor(len(j.Args)) {
			n.args = append([]byte{}, j.Args...)
		}
		p.notes = append(p.notes, n)
	}
}

// hasRoomFor tells whether so many bytes of arguments may be kept.
func (p *Peer) hasRoomFor(bytes int) bool {
	drawn := 0
	for _, n := range p.notes {
		if n.args != nil {
			drawn++
			bytes += len(n.args)
		}
	}
	return drawn < notesMax && bytes <= notesBytes
}

// taskOf is the name of a lent job's task.
func (p *Peer) taskOf(ref steal.Ref) string {
	for n := range p.notes {
		if p.notes[n].ref == ref {
			return p.notes[n].task
		}
	}
	return ""
}

// verified tells whether a returned result waits to be compared, or is now going to. Results of
// choosing jobs are left out: they may depend on timing.
func (p *Peer) verified(r *run, from membership.Member, ret steal.Return) bool {
	if r.terms.Verify <= 0 || ret.Result.Choosing || p.leaving.active {
		return false
	}
	loan, ok := p.ledger.LoanOf(from.ID, ret.Number, ret.Run)
	if !ok {
		return false
	}
	if slices.ContainsFunc(p.checks, func(c *check) bool { return c.thief == from.ID && c.ret.Number == ret.Number }) {
		return true
	}
	at := slices.IndexFunc(p.notes, func(n note) bool { return n.ref == loan.Ref && n.args != nil })
	if at < 0 || len(p.checks) >= checksMax || r.root == nil {
		return false
	}
	n := &p.notes[at]
	c := &check{borrow: p.ledger.NextBorrow(), run: ret.Run, task: n.task, thief: from.ID, name: nameOf(from), ret: ret, key: loan.Key}
	p.checks = append(p.checks, c)
	p.out = append(p.out, Execute{Run: r.no, Borrow: c.borrow, Key: loan.Key, Task: n.task, Args: n.args, Ref: n.ref, Verifies: true})
	p.apply(p.victim.Started(p.now))
	n.args = nil
	return true
}

func nameOf(m membership.Member) string {
	if m.Name != "" {
		return m.Name
	}
	return string(m.ID)
}

// checked takes what a job came to that was executed again. It is false when
// borrow is none of those.
func (p *Peer) checked(borrow steal.Borrow, result steal.Result) bool {
	at := slices.IndexFunc(p.checks, func(c *check) bool { return c.borrow == borrow })
	if at < 0 {
		return false
	}
	c := p.checks[at]
	p.checks = slices.Delete(p.checks, at, at+1)
	r := p.run(c.run)
	if r == nil {
		return true
	}
	first := c.ret.Result
	switch {
	case result.Outcome == steal.Panicked:
		p.failed(r, result)
		return true
	case !result.Choosing && (result.Outcome != first.Outcome || result.Outcome == steal.Value && !bytes.Equal(result.Bytes, first.Bytes)):
		self := nameOf(p.view.Self())
		p.failed(r, p.conf.failure(c.task, c.key, c.name, fmt.Sprintf(
			"the job %s came to one result on %s and to another on %s: it is not a function of its fields, or one of these computes wrong", c.task, c.name, self)))
		return true
	}
	if ref, ok := p.ledger.Settle(c.thief, c.ret.Number, c.run); ok {
		p.out = append(p.out, Settle{Ref: ref, Result: first})
		p.notCovered(r, c.ret.Number)
		p.send(c.thief, steal.Returned{Numbers: []steal.LoanNo{c.ret.Number}})
	}
	return true
}

// isChecked tells whether one of the jobs is executed again because of that very thief: it must not
// be the one to confirm itself.
func (p *Peer) isChecked(thief membership.PeerID, jobs []Job) bool {
	return slices.ContainsFunc(p.checks, func(c *check) bool {
		return c.thief == thief && slices.ContainsFunc(jobs, func(j Job) bool { return j.Key == c.key })
	})
}

// dropChecks forgets the checks of a run that has ended.
func (p *Peer) dropChecks(run steal.Instance) {
	p.checks = slices.DeleteFunc(p.checks, func(c *check) bool { return c.run == run })
}
