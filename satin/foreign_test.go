package satin

// Inside the package: it makes moments between a thief and an owner that no program can.

import (
	"context"
	"testing"
)

// Only a fiber without a job may take up one of another run.
func TestThiefStaysWithinItsRun(t *testing.T) {
	p := openWorkers(t, 1).pool
	one, err := p.newRun(context.Background(), rootJob(fibTask{1}))
	if err != nil {
		t.Fatal(err)
	}
	two, err := p.newRun(context.Background(), rootJob(fibTask{2}))
	if err != nil {
		t.Fatal(err)
	}
	var f publicPart
	h := &shared{job: rootJob(fibTask{3}), run: two, state: offered}
	f.push(h)
	thief := &fiber{pool: p, run: one}
	if got := f.take(thief); got != nil {
		t.Errorf("a thief with a job of %v took one of %v", one, got.run)
	}
	thief.run = two
	if f.take(thief) != h {
		t.Error("a thief did not get a job of its own run")
	}
}

func rootJob[T Task[R], R any](task T) *job[T, R] {
	j := &job[T, R]{task: task}
	j.index = noIndex
	return j
}

// patient has a child whose value comes from elsewhere while a thief is about to start it.
type patient struct{}

func (patient) Run(s *Scope) (int, error) {
	x := Spawn(s, fibTask{20})
	s.publish()
	h := s.deque.slots[x.j.index].head().sh
	if h == nil || !h.claim(&newScope(s.pool).fiber) {
		panic("the child was not published")
	}
	before := x.j
	data := &outcome[int]{value: 7}
	h.fulfil(data, part{}, nil) // the thief has not read the task yet
	n, err := x.Wait(s)
	if err != nil {
		return 0, err
	}
	y := Spawn(s, fibTask{1})
	if y.j == before || before.task != (fibTask{20}) {
		panic("the object of a job that a thief still reads was used for another")
	}
	m, err := y.Wait(s)
	return n + m, err
}

func TestObjectIsNotReusedWhileAThiefReadsIt(t *testing.T) {
	p := openWorkers(t, 1)
	if got, err := Run(context.Background(), p, patient{}); err != nil || got != 8 {
		t.Fatalf("got %d, %v, want 8", got, err)
	}
}
