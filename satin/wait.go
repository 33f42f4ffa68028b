package satin

import (
	"errors"
	"fmt"
	"time"
)

// await is Wait's slow path: the child was published, taken, done already, waited for out of order;
// or the current job is special. It returns the child's result and frees its slot.
func (s *Scope) await(j slot) result {
	s.serve()
	h := j.head()
	if h.index == noIndex {
		return s.awaitDetached(j)
	}
	if h.index >= s.deque.top || s.deque.slots[h.index] != j || h.word != waiting {
		panic(fmt.Sprintf("satin: a future of %s was waited for twice, or by a job that did not spawn it", typeName(j)))
	}
	if s.deque.dead != noSlot {
		s.deque.raise(h.index)
		s.abandon(s.deque.top - 1)
		return j.refuse(ErrWithdrawn)
	}
	s.deque.raise(h.index)
	out, special := s.settle(j)
	if s.deque.dead != noSlot {
		s.abandon(s.deque.top - 1)
		return j.refuse(ErrWithdrawn)
	}
	s.retire(h.index)
	s.deque.refloor(special)
	return out
}

// awaitDetached waits for a child that has lost its slot: it was withdrawn, or
// was done before that.
func (s *Scope) awaitDetached(j slot) result {
	h := j.head()
	if h.word != detached {
		panic(fmt.Sprintf("satin: a future of %s was waited for twice", typeName(j)))
	}
	h.word = free
	if h.sh != nil {
		if out := h.sh.outcome(); out != nil {
			return out
		}
	}
	return j.refuse(ErrWithdrawn)
}

// settle brings the child in the top slot to its end, here or by waiting for whoever has it.
// special says whether the current job is special afterwards: a tick may have marked it meanwhile.
// When the current job turns out to be withdrawn the result means nothing.
func (s *Scope) settle(j slot) (out result, special bool) {
	h := j.head()
	special = s.deque.special()
	began := unknown
	if special && s.checkpoint.marked() {
		if s.pool.recording {
			s.pinFit(j)
		}
		began = s.clock()
	}
	for s.deque.dead == noSlot {
		if h.sh == nil || h.sh.claim(&s.fiber) {
			var raised bool
			out, raised = s.inline(j)
			special = special || raised
			break
		}
		if out = s.waitFor(h.sh); out != nil {
			special = s.credit(h.sh) || special || s.deque.special()
			break
		}
	}
	if s.deque.dead == noSlot && special && s.checkpoint.marked() {
		s.note(j, out, began)
	}
	return out, special
}

// credit counts what others have spent on a child, and marks the current job when the result is a
// part: no tick may have come since the job began.
func (s *Scope) credit(h *shared) (special bool) {
	if h.synced {
		return false
	}
	x := h.partNow()
	s.away -= x.cost
	if x.result == nil {
		return false
	}
	s.mark(s.ownTracked(), s.clock())
	return true
}

// inline runs the child in the top slot. raised says that a tick made the current
// job special meanwhile.
func (s *Scope) inline(j slot) (out result, raised bool) {
	h := j.head()
	again := h.sh.isAgain()
	var began time.Duration
	if again {
		began = s.clock()
	}
	if s.pool.strict {
		s.run.enter(h.sh)
	}
	h.word = running
	s.deque.floor = h.index
	out, raised = s.finish(h.index, j.execute(s))
	h.word = waiting
	if s.pool.strict {
		s.run.checkFields(h.sh, "while it ran")
		out = s.run.arrived(j, out)
	}
	if again {
		h.sh.redid(s.clock() - began)
	}
	return orWithdrawn(j, out), raised
}

// orWithdrawn is what a Wait returns of a job whose end was out.
func orWithdrawn(j slot, out result) result {
	if out == nil {
		return j.refuse(ErrWithdrawn)
	}
	return out
}

// finish ends the running job in slot i, whose Run returned out: its unwaited children are joined,
// what a tick or a withdrawal noted of it is taken into account. The result is nil when the job
// was told to stop: whatever its Run returned is dropped. raised says that its parent became
// special while the job ran.
func (s *Scope) finish(i int, out result) (_ result, raised bool) {
	if s.deque.top > i+1 {
		out = s.join(i, out)
	}
	if t := s.checkpoint.pop(i); t != nil {
		raised = t.parentSpecial
		if s.deque.dead == i {
			s.revive()
			if t.value != nil {
				s.aside(s.deque.slots[i]).setPart(t.came)
				if t.marked {
					// what was done of it here is not in its value, nor in its
					// parent's
					s.away += s.clock() - t.markedAt
				}
				s.away -= t.came.cost
			}
			return t.value, raised
		}
	}
	if s.deque.dead != noSlot {
		return nil, raised
	}
	if err := out.failure(); err != nil {
		out = out.failed(s.run.jobError(s.deque.slots[i], err))
	}
	return out, raised
}

// join waits for the children that the running job in slot i did not wait for. When the job failed
// they are given up; when one of them fails, so does the job.
func (s *Scope) join(i int, out result) result {
	for s.deque.top > i+1 {
		if out.failure() != nil || s.deque.dead != noSlot {
			s.abandon(i + 1)
			return out
		}
		j := s.deque.slots[s.deque.top-1]
		sh := j.head().sh
		reported := sh != nil && sh.synced
		if err := s.await(j).failure(); err != nil && !reported {
			out = out.failed(err)
		}
	}
	return out
}

// closeJob is the end of a child that began on the fast path.
func (s *Scope) closeJob(j slot, out result) result {
	i := j.head().index
	out, special := s.finish(i, out)
	out = orWithdrawn(j, out)
	if special && s.deque.dead == noSlot && s.checkpoint.marked() {
		s.note(j, out, unknown)
	}
	s.retire(i)
	s.deque.refloor(special)
	return out
}

// retire frees the top slot, whose result has been handed over.
func (s *Scope) retire(i int) {
	if i != s.deque.top-1 {
		panic("satin: BUG: a slot below the top was retired")
	}
	h := s.deque.slots[i].head()
	if h.sh != nil {
		s.checkpoint.use(h.sh)
		if !h.sh.retire() || s.pool.strict { // then a second Wait is noticed
			h.index, s.deque.slots[i] = noIndex, nil
		}
	}
	h.word, h.sh = free, nil
	s.deque.cut(i)
}

// abandon gives up every child from slot base up: no running job is among them. Their futures stay
// valid and tell that the job was withdrawn.
func (s *Scope) abandon(base int) {
	for k := s.deque.top - 1; k >= base; k-- {
		j := s.deque.slots[k]
		h := j.head()
		if h.word == running {
			panic("satin: BUG: a running job was abandoned")
		}
		if (h.sh == nil || h.sh.withdraw(k > s.deque.orphans)) && !s.isSpared(k) {
			s.run.aborted.Add(1)
		}
		if h.sh != nil {
			s.checkpoint.use(h.sh)
		}
		h.word, h.index = detached, noIndex
		s.deque.slots[k] = nil
	}
	s.deque.cut(base)
}

// jobError is what the parent of the job in slot j learns of the error that this returned, as if it
// had travelled. It is wrapped unless it was further down. Methods of the program's are called
// here, where a panic is the job's.
func (r *run) jobError(j slot, err error) error {
	here := r.pool.staysHere
	var below *JobError
	switch wrapped := errors.As(err, &below); {
	case here && (wrapped || errors.Is(err, ErrWithdrawn)):
		return err
	case wrapped && below.hasText():
		return below
	case errors.Is(err, ErrWithdrawn):
		return ErrWithdrawn
	}
	if !here {
		err = textOnly(err.Error())
	}
	key, _ := r.keyOf(j) // an error with no key is better than none
	return &JobError{Task: r.pool.app.taskName(j), Key: key, Peer: r.pool.name, Err: err}
}

// isSpared tells whether the job in slot k is not given up but done elsewhere: for another owner,
// or since its parent's value was found.
func (s *Scope) isSpared(k int) bool {
	if s.deque.dead == noSlot {
		return false
	}
	t := s.checkpoint.at(s.deque.dead)
	return k > s.deque.orphans || t != nil && t.value != nil
}
