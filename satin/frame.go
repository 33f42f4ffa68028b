package satin

import (
	"errors"
	"fmt"
	"runtime/debug"
	"sync/atomic"
	"time"
)

// runShared runs a job that was spawned elsewhere on top of this stack: at the bottom of an idle
// fiber, or above a job that waits for one of this job's ancestors (leapfrogging).
func (s *Scope) runShared(h *shared) {
	i := s.deque.top
	s.deque.grow()
	resident := s.deque.slots[i]
	f := &frame{jobHeader{word: running, index: i}, h}
	s.deque.slots[i] = f
	s.deque.top = i + 1
	s.deque.frames = append(s.deque.frames, f)
	if i == 0 {
		s.begin(h.run)
	}
	special := s.deque.special()
	s.deque.floor = i
	began := s.clock()
	if h.owner == nil {
		h.begunHere.Store(int64(time.Since(s.pool.start)))
	}
	out, raised := s.read(h), false
	if out == nil {
		s.run.enter(h)
		out, raised = s.guarded(f)
		s.run.checkFields(h, "while it ran")
		out = s.run.arrived(f, out)
	}
	cost := s.clock() - began
	s.away += cost // it was not the job's below
	s.deque.frames = s.deque.frames[:len(s.deque.frames)-1]
	s.deque.cut(i)
	s.deque.slots[i] = resident
	s.deque.refloor(special || raised)
	if i == 0 {
		s.end()
	}
	if out == nil || h.run.isEnding() {
		h.giveBack()
		return
	}
	h.fulfil(out, s.pool.partOf(h, out, cost), &s.fiber)
}

// read reads the fields of a job that came from another process, here, where the program's code may
// run long or fail. What it returns is the job's result when they cannot be read.
func (s *Scope) read(h *shared) result {
	if h.unread == nil {
		return nil
	}
	err := h.job.load(h.unread)
	h.unread = nil
	if err == nil {
		return nil
	}
	err = fmt.Errorf("satin: the fields of task %s: %w", s.pool.app.taskName(h.job), err)
	var raised *codePanic
	if errors.As(err, &raised) {
		s.run.failJob(h.job, err)
	}
	return h.job.refuse(err)
}

// guarded runs the frame's job where a panic is caught; after a runtime.Goexit the goroutine ends,
// and the fiber is replaced. The result is nil after a panic, and when the job was told to stop.
// raised says that the job below became special meanwhile.
func (s *Scope) guarded(f *frame) (out result, raised bool) {
	normal := false
	defer func() {
		if normal {
			return
		}
		value := recover()
		s.run.failWith(s.panicError(value))
		s.collapse(f.index)
		out = nil
	}()
	out, raised = s.finish(f.index, f.execute(s))
	normal = true
	return out, raised
}

// collapse clears the stack above slot i after a panic went through it.
func (s *Scope) collapse(i int) {
	for k := s.deque.top - 1; k > i; k-- {
		h := s.deque.slots[k].head()
		if f, ok := s.deque.slots[k].(*frame); ok {
			f.of.withdraw(false)
			s.deque.frames = s.deque.frames[:len(s.deque.frames)-1]
		}
		if h.sh != nil {
			h.sh.withdraw(false)
			s.checkpoint.use(h.sh)
		}
		h.word, h.index = detached, noIndex
		s.deque.slots[k] = nil
	}
	s.deque.cut(i + 1)
	for len(s.checkpoint.tracked) > 0 && s.checkpoint.last().slot >= i {
		s.checkpoint.drop()
	}
	for len(s.deque.groups) > 0 && s.deque.groups[len(s.deque.groups)-1].base > i {
		s.deque.groups = s.deque.groups[:len(s.deque.groups)-1]
	}
	if s.deque.dead != noSlot && s.deque.dead >= i {
		s.revive()
	}
}

// begin makes an idle fiber one of run r.
func (s *Scope) begin(r *run) {
	s.run = r
	s.serves.Store(r)
	atomic.AndUint32(&s.wire, ^uint32(tripIdle))
	if s.lastRun != r.id {
		s.lastRun = r.id
		// drop the other run's tasks
		s.deque.slots = append(make([]slot, 0, slotsMin), s.deque.slots[0])[:slotsMin]
		clear(s.deque.spare)
		s.deque.spare = s.deque.spare[:0]
	}
	s.letters.open()
	s.checkpoint.open(r)
	s.worker.enters()
	if r.isOver() {
		s.trip(tripMail)
	}
	if s.pool.hungry.Load() > 0 || s.pool.wanted.Load() { // who asked may have passed it over
		s.trip(tripAsk)
	}
}

// end counts what the fiber has done for its run.
func (s *Scope) end() {
	s.countJobs()
	s.worker.leaves(s.run)
	s.trip(tripIdle)
	s.run = nil
	s.serves.Store(nil)
	s.public.clear()
	s.letters.shut()
	s.checkpoint.shut()
	s.deque.floor = -1
	s.deque.low = 0
}

// panicError describes the panic of the running job. It is called by the deferred function that
// recovers, whose stack still holds the frames that panicked.
func (s *Scope) panicError(value any) *PanicError {
	j := s.deque.slots[s.deque.current()]
	key, _ := s.run.keyOf(j)
	return &PanicError{Task: s.pool.app.taskName(j), Key: key, Peer: s.pool.name, Value: value, Stack: debug.Stack()}
}
