package satin

// All spawns a list of tasks and waits for them; the results are in the order of the tasks. When
// one fails, the others are given up and the error is returned.
func All[T Task[R], R any](s *Scope, tasks []T) ([]R, error) {
	out := make([]R, len(tasks))
	err := Each(s, len(tasks), func(i int) T { return tasks[i] }, func(i int, r R) { out[i] = r })
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Each spawns task(0) to task(n-1), waits for them, and hands each result to got, in the order of i
// and in the goroutine of this job. It is All without the slices of tasks and results.
func Each[T Task[R], R any](s *Scope, n int, task func(i int) T, got func(i int, r R)) error {
	if n == 0 {
		return nil
	}
	// The last is spawned first, so that they are waited for in the order of i and in the
	// reverse of spawning, which is the fast one.
	futures := make([]Future[T, R], n)
	for i := n - 1; i >= 0; i-- {
		futures[i] = Spawn[T, R](s, task(i))
	}
	for i := range futures {
		r, err := futures[i].Wait(s)
		if err != nil {
			for _, f := range futures[i+1:] {
				f.giveUp(s)
			}
			return err
		}
		got(i, r)
	}
	return nil
}

// giveUp aborts one child.
func (f Future[T, R]) giveUp(s *Scope) {
	h := &f.j.jobHeader
	if h.index == noIndex {
		return
	}
	s.deque.raise(h.index)
	s.abandon(s.deque.top - 1)
	s.deque.refloor(s.deque.special())
}

// First spawns a list of tasks and returns the first result that ok accepts; the others are given
// up. ok may accept only values any of which is right, because which comes first depends on timing.
// It must be quick and have no side effects. When none is accepted, First returns ErrNone; a task's
// error counts as a result that was not accepted, and is returned when no task did better.
func First[T Task[R], R any](s *Scope, tasks []T, ok func(R) bool) (R, error) {
	s.mine().choose()
	var winner *outcome[R]
	futures := make([]Future[T, R], len(tasks))
	g := &group{base: s.deque.top}
	last := len(futures) // all from here on were done, and not accepted
	g.accepted = func() bool {
		// The last are the oldest, so they are published first: beyond one that
		// was not, none has been.
		for i := last - 1; i >= 0 && winner == nil; i-- {
			j := futures[i].j
			if j == nil || j.sh == nil {
				break
			}
			o, done := j.sh.outcome().(*outcome[R])
			if done && o.err == nil && ok(o.value) {
				winner = o
			} else if done && i == last-1 {
				last = i
			}
		}
		return winner != nil
	}
	s.deque.groups = append(s.deque.groups, g)
	for i := len(tasks) - 1; i >= 0; i-- {
		futures[i] = Spawn[T, R](s, tasks[i])
	}
	failure := ErrNone
	for i := 0; i < len(futures) && winner == nil; i++ {
		r, err := futures[i].Wait(s)
		futures[i].j = nil
		switch {
		case winner != nil:
		case err != nil:
			failure = err
		case ok(r):
			winner = &outcome[R]{value: r}
		}
	}
	s.deque.groups = s.deque.groups[:len(s.deque.groups)-1]
	s.abandon(max(g.base, s.deque.current()+1))
	s.deque.refloor(s.deque.special())
	if winner == nil {
		var none R
		return none, failure
	}
	return winner.value, nil
}

// Sync waits for every child of this job that was not waited for. Their futures keep their results.
// It returns the first error of a child, in no particular order.
func (s *Scope) Sync() error {
	s.serve()
	base := s.deque.current() + 1
	var first error
	for k := s.deque.top - 1; k >= base && s.deque.dead == noSlot; k-- {
		j := s.deque.slots[k]
		if sh := j.head().sh; sh != nil && sh.synced {
			continue
		}
		s.deque.raise(k)
		out, special := s.settle(j)
		if s.deque.dead != noSlot {
			break
		}
		sh := s.aside(j)
		sh.store(out, part{})
		s.checkpoint.use(sh)
		sh.synced = true
		s.deque.refloor(special)
		if err := out.failure(); first == nil {
			first = err
		}
	}
	if s.deque.dead != noSlot {
		return ErrWithdrawn
	}
	return first
}

// Abort gives up the children of this job that were not waited for, here and wherever they were
// stolen. A running child notices at its next Spawn or Wait, or when it asks Aborted. Waiting for
// an aborted child returns ErrWithdrawn, unless it was done before.
func (s *Scope) Abort() {
	s.mine().choose()
	s.abandon(s.deque.current() + 1)
	s.deque.refloor(s.deque.special())
}

// Aborted tells whether this job is withdrawn: aborted, or its run, peer or context has ended. It
// costs a nanosecond; a job that computes for long without Spawn or Wait asks now and then, and
// returns. What Local returned stays in the job's hands: the worker goes to no other job here.
func (s *Scope) Aborted() bool {
	s.attend()
	return s.deque.dead != noSlot
}
