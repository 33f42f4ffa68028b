package peer

import (
	"bytes"
	"fmt"
	"math/rand/v2"
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

// verifier draws jobs that are lent, and executes them again when they have come back.
type verifier struct {
	outbox
	rng     *rand.Rand
	ledger  *steal.Ledger
	failure runFailure
	self    string // what a person calls this peer
	notes   []note
	checks  []*check
}

// lent remembers the tasks of jobs that were lent, and draws those to be verified. Parts of
// what is executed to verify a result are left out, wherever they are lent: each level would double
// the work. So are jobs that are only passed on: who spawned them has drawn, and one that went
// through ten hands would be executed again by each, one after another.
func (v *verifier) lent(share float64, jobs []Job) {
	if len(v.notes) > 2*v.ledger.Lent()+64 {
		v.notes = slices.DeleteFunc(v.notes, func(n note) bool { return !v.ledger.HasRef(n.ref) })
	}
	for _, j := range jobs {
		n := note{ref: j.Ref, task: j.Task}
		if share > 0 && !j.Verifies && !j.PassedOn && v.rng.Float64() < share && v.hasRoomFor(len(j.Args)) {
			n.args = append([]byte{}, j.Args...)
		}
		v.notes = append(v.notes, n)
	}
}

// hasRoomFor tells whether so many bytes of arguments may be kept.
func (v *verifier) hasRoomFor(bytes int) bool {
	drawn := 0
	for _, n := range v.notes {
		if n.args != nil {
			drawn++
			bytes += len(n.args)
		}
	}
	return drawn < notesMax && bytes <= notesBytes
}

// task is the name of a lent job's task.
func (v *verifier) task(ref steal.Ref) string {
	for n := range v.notes {
		if v.notes[n].ref == ref {
			return v.notes[n].task
		}
	}
	return ""
}

// returned hears of a returned result, and tells whether it waits to be compared, or is now going
// to. Results of choosing jobs are left out: they may depend on timing.
func (v *verifier) returned(no RunNo, from membership.Member, ret steal.Return) (waits bool, effects []membership.Effect) {
	if ret.Result.Choosing {
		return false, nil
	}
	loan, ok := v.ledger.LoanOf(from.ID, ret.Number, ret.Run)
	if !ok {
		return false, nil
	}
	if slices.ContainsFunc(v.checks, func(c *check) bool { return c.thief == from.ID && c.ret.Number == ret.Number }) {
		return true, nil
	}
	at := slices.IndexFunc(v.notes, func(n note) bool { return n.ref == loan.Ref && n.args != nil })
	if at < 0 || len(v.checks) >= checksMax {
		return false, nil
	}
	n := &v.notes[at]
	c := &check{
		borrow: v.ledger.NextBorrow(), run: ret.Run, task: n.task, thief: from.ID, name: nameOf(from), ret: ret, key: loan.Key,
	}
	v.checks = append(v.checks, c)
	v.do(Execute{
		Run: no, Borrow: c.borrow, Key: loan.Key, Task: n.task, Args: n.args, Ref: n.ref, Verifies: true,
	})
	v.do(employs{})
	n.args = nil
	return true, v.flush()
}

func nameOf(m membership.Member) string {
	if m.Name != "" {
		return m.Name
	}
	return string(m.ID)
}

// finished takes what a job came to that was executed again. It is false when borrow is none of
// those.
func (v *verifier) finished(borrow steal.Borrow, result steal.Result) (bool, []membership.Effect) {
	at := slices.IndexFunc(v.checks, func(c *check) bool { return c.borrow == borrow })
	if at < 0 {
		return false, nil
	}
	c := v.checks[at]
	v.checks = slices.Delete(v.checks, at, at+1)
	first := c.ret.Result
	switch {
	case result.Outcome == steal.Panicked:
		v.do(fails{run: c.run, result: result, again: true})
		return true, v.flush()
	case !result.Choosing && (result.Outcome != first.Outcome ||
		result.Outcome == steal.Value && !bytes.Equal(result.Bytes, first.Bytes)):
		v.do(fails{run: c.run, again: true, result: v.failure(c.task, c.key, c.name, fmt.Sprintf(
			"the job %s came to one result on %s and to another on %s: it is not a function of its fields, or one of these computes wrong",
			c.task, c.name, v.self))})
		return true, v.flush()
	}
	if ref, ok := v.ledger.Settle(c.thief, c.ret.Number, c.run); ok {
		v.do(settles{run: c.run, number: c.ret.Number, ref: ref, result: first})
		v.do(tells{c.thief, steal.Returned{Numbers: []steal.LoanNo{c.ret.Number}}})
	}
	v.do(verifies{c.run, result.Cost})
	return true, v.flush()
}

// doubts tells whether one of the jobs is executed again because of that very thief: it must not be
// the one to confirm itself.
func (v *verifier) doubts(thief membership.PeerID, jobs []Job) bool {
	return slices.ContainsFunc(v.checks, func(c *check) bool {
		return c.thief == thief && slices.ContainsFunc(jobs, func(j Job) bool { return j.Key == c.key })
	})
}

// ended forgets the checks of a run that has ended.
func (v *verifier) ended(run steal.Instance) {
	v.checks = slices.DeleteFunc(v.checks, func(c *check) bool { return c.run == run })
}

// leave gives all checks up: their results come again, and are taken unchecked.
func (v *verifier) leave() []membership.Effect {
	for _, c := range v.checks {
		v.do(Withdraw{Borrow: c.borrow})
	}
	v.checks = nil
	return v.flush()
}
