package satin

// Inside the package: it counts what is made public, and asks as the loop does.

import (
	"context"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"satingrid/steal"
)

// heap has many children that wait, of which many are wanted.
type heap struct{}

func (heap) Run(s *Scope) (int, error) {
	all := make([]Future[fibTask, int], 3000)
	for i := range all {
		all[i] = Spawn(s, fibTask{1})
	}
	asked := func(n int) bool {
		atomic.AndUint32(&s.wire, ^uint32(tripAsk))
		said := s.pool.askForMany(n)
		if is := atomic.LoadUint32(&s.wire)&tripAsk != 0; is != said {
			panic(fmt.Sprintf("for %d jobs it says %v, and it is %v that the fiber is asked", n, said, is))
		}
		return said
	}
	if asked(steal.JobsFar) || !asked(steal.JobsFar+1) {
		panic("nothing lies open, and who asks for a few has fibers asked, or who asks for more has not")
	}
	for _, want := range []struct{ many, open int }{{0, publishMax}, {500, publishMax + 500}} {
		s.pool.many.Store(int32(want.many))
		if s.publish(); s.pool.waiting(nil) != want.open {
			return 0, fmt.Errorf("where %d are wanted, %d jobs lie open, not %d", want.many, s.pool.waiting(nil), want.open)
		}
	}
	s.pool.many.Store(0)
	if open := publishMax + 500; asked(open/2) || !asked(open/2+1) {
		panic("half of what lies open is enough, and fibers are asked, or it is not, and they are not")
	}
	for _, f := range slices.Backward(all) {
		if _, err := f.Wait(s); err != nil {
			return 0, err
		}
	}
	return len(all), nil
}

// TestManyAreMadePublicForOneWhoAsksForMany: and no more than ever for others.
func TestManyAreMadePublicForOneWhoAsksForMany(t *testing.T) {
	if _, err := Run(context.Background(), openWorkers(t, 1), heap{}); err != nil {
		t.Error(err)
	}
}
