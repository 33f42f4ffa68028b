package satin

import (
	"errors"
	"fmt"
	"runtime"
	"time"
)

// fiberState says where a fiber is; pool.mu guards it.
type fiberState uint8

const (
	fiberActive fiberState = iota // has a worker
	fiberParked                   // waits for a child that somebody else has
	fiberReady                    // could go on, waits for a worker
	fiberIdle                     // has no job and no worker
)

// runShared runs a job that was spawned elsewhere on top of this stack: at the bottom of an idle
// fiber, or above a job that waits for one of this job's ancestors (leapfrogging).
func (s *Scope) runShared(h *shared) {
	i := s.top
	s.grow()
	resident := s.slots[i]
	f := &frame{header{word: running, index: i}, h}
	s.slots[i] = f
	s.top = i + 1
	s.frames = append(s.frames, f)
	if i == 0 {
		s.begin(h.run)
	}
	special := s.special()
	s.floor = i
	began := s.clock()
	out, raised := s.read(h), false
	if out == nil {
		s.checkFields(h, "after Spawn")
		out, raised = s.guarded(f)
		s.checkFields(h, "while it ran")
		s.checkResult(f, out)
	}
	cost := s.clock() - began
	s.away += cost // it was not the job's below
	s.frames = s.frames[:len(s.frames)-1]
	s.cut(i)
	s.slots[i] = resident
	s.refloor(special || raised)
	if i == 0 {
		s.end()
	}
	if out == nil || h.run.isEnding() {
		h.giveBack()
		return
	}
	h.fulfil(out, s.partOf(h, out, cost), s)
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
	for k := s.top - 1; k > i; k-- {
		h := s.slots[k].head()
		if f, ok := s.slots[k].(*frame); ok {
			f.of.withdraw(false)
			s.frames = s.frames[:len(s.frames)-1]
		}
		if h.sh != nil {
			h.sh.withdraw(false)
			s.checkpoint.use(h.sh)
		}
		h.word, h.index = detached, noIndex
		s.slots[k] = nil
	}
	s.cut(i + 1)
	for len(s.tracked) > 0 && s.tracked[len(s.tracked)-1].slot >= i {
		s.untrack()
	}
	for len(s.groups) > 0 && s.groups[len(s.groups)-1].base > i {
		s.groups = s.groups[:len(s.groups)-1]
	}
	if s.dead != noSlot && s.dead >= i {
		s.revive()
	}
}

// begin makes an idle fiber one of run r.
func (s *Scope) begin(r *run) {
	s.run = r
	s.serves.Store(r)
	if s.lastRun != r.id {
		s.lastRun = r.id
		// drop the other run's tasks
		s.slots = append(make([]slot, 0, slotsMin), s.slots[0])[:slotsMin]
		clear(s.spare)
		s.spare = s.spare[:0]
	}
	s.letters.open()
	s.checkpoint.open(r)
	r.enter(s)
	if r.isOver() {
		s.trip(tripMail)
	}
	if s.pool.hungry.Load() > 0 {
		s.trip(tripAsk)
	}
}

// end counts what the fiber has done for its run.
func (s *Scope) end() {
	s.countJobs()
	s.run.leave(s)
	s.run = nil
	s.serves.Store(nil)
	s.public.clear()
	s.letters.shut()
	s.checkpoint.shut()
	s.floor = -1
	s.low = 0
}

// spins is how often a fiber that waits for a thief looks again before it parks; a Gosched each.
const spins = 20

// waitFor waits until a job that somebody else has is done, and returns its result. It returns nil
// when the job may be claimed again, and when the current job turns out to be withdrawn.
//
// It leapfrogs: work stolen back from the thief is work the wait depends on. When there is none,
// the fiber parks, and its worker goes on with another.
func (s *Scope) waitFor(h *shared) result {
	for tries := 0; ; tries++ {
		out, thief, open := h.await(s)
		if out != nil || open {
			return out
		}
		s.serve()
		if s.dead != noSlot {
			return nil
		}
		if thief != nil {
			if stolen := thief.public.take(s); stolen != nil {
				s.runShared(stolen)
				tries = 0
				continue
			}
			thief.trip(tripAsk)
		}
		if tries < spins && thief != nil {
			runtime.Gosched()
			continue
		}
		s.park()
	}
}

// await registers s as the one to wake, unless the job is done, withdrawn, or open
// to be claimed again.
func (h *shared) await(s *Scope) (out result, thief *Scope, open bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	switch h.state {
	case done:
		return h.out, nil, false
	case withdrawn:
		return h.job.refuse(ErrWithdrawn), nil, false
	case offered:
		return nil, nil, true
	}
	h.waiter = s
	return nil, h.thief, false
}

// park gives the worker to another fiber until this one is unparked. It may return early, so
// callers look again at what they wait for.
func (s *Scope) park() {
	s.publish()
	p := s.pool
	if p.recording {
		s.markRunning()
	}
	s.estimate()
	p.mu.Lock()
	if s.notified {
		s.notified = false
		p.mu.Unlock()
		return
	}
	next := p.nextFiber()
	if next == nil {
		p.mu.Unlock()
		p.waitAtCap()
		return
	}
	s.state = fiberParked
	s.pending.Store(s.more())
	p.parked++
	p.mu.Unlock()
	s.handOver(next)
	p.mu.Lock()
	s.notified = false
	p.mu.Unlock()
}

// yield lets another fiber have the worker, if it is the turn of one; this one
// becomes ready itself.
func (s *Scope) yield() {
	p := s.pool
	if p.many.Load() {
		s.publish() // others may work for this run while this fiber does not
	}
	p.mu.Lock()
	next := p.displacing(s)
	if next == nil {
		p.mu.Unlock()
		return
	}
	s.state = fiberReady
	p.ready = append(p.ready, s)
	p.armYield()
	p.mu.Unlock()
	s.handOver(next)
}

// handOver gives this fiber's worker to next and waits until it is given one again.
func (s *Scope) handOver(next *Scope) {
	left := time.Now()
	if len(s.frames) > 0 {
		s.run.leave(s)
	}
	w := s.worker
	s.worker = nil
	next.resume <- w
	s.worker = <-s.resume
	if len(s.frames) > 0 {
		s.run.enter(s)
		s.away += s.worker.since.Sub(left)
		if s.pool.hungry.Load() > 0 {
			s.trip(tripAsk)
		}
	}
}

// mail tells the fiber to look at what was withdrawn, also when it is parked.
func (s *Scope) mail() {
	s.trip(tripMail)
	s.pool.unpark(s)
}
