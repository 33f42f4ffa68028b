package program

import (
	"cmp"
	"context"
	"fmt"
	"reflect"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// Root is how a run of an application begins, and how what it finds is shown: now, by whoever has
// submitted it, or later by anybody who comes back to it. Both are shown by one function that is
// told no more than the root and what stands on the command line, so that an answer reads the same
// whenever and wherever it is fetched. What is needed to show it is a field of the root.
//
// RootOf makes one.
type Root struct {
	task    satin.TaskType
	prepare func(in *Input, shows bool) (*Prepared, error)
	reopen  func(ctx context.Context, p *satin.Peer, run satin.RunStats, in *Input) (shownRun, error)
	// best is the best so far of a run that somebody has submitted; nil: this peer holds none
	best func(p *satin.Peer, run satin.RunID, in *Input) (Answer, error)
}

// RootOf is the Root of a task. Parse makes it of what stands on the command line, and says what is
// wrong with that before anything is computed. Show says how what is found of a root is shown, and
// finds out before whether the files of its flags can be written; nil stands for a View that
// leaves everything out.
func RootOf[T satin.Task[R], R any](parse func(in *Input) (T, error), show func(root *T, in *Input) (View[R], error)) Root {
	if parse == nil {
		panic(fmt.Sprintf("program: Of and RootOf need a function that makes the root, a %v: parse is nil", reflect.TypeFor[T]()))
	}
	if show == nil {
		show = func(*T, *Input) (View[R], error) { return View[R]{}, nil }
	}
	return Root{
		task: satin.Type[T](),
		prepare: func(in *Input, shows bool) (*Prepared, error) {
			task, err := parse(in)
			if v := reflect.ValueOf(&task).Elem(); err == nil && v.Kind() == reflect.Pointer && v.IsNil() {
				err = fmt.Errorf("parse has returned a nil %T and no error", task)
			}
			if err != nil {
				return nil, err
			}
			var view View[R]
			if shows {
				view, err = show(&task, in)
			}
			if err != nil {
				return nil, err
			}
			return &Prepared{Input: cmp.Or(in.Called, in.Name()), Start: func(ctx context.Context, p *satin.Peer, as ...satin.Option) (Running, error) {
				s, err := satin.Submit(ctx, p, task, as...)
				if err != nil {
					return nil, err
				}
				return view.of(s, p), nil
			}}, nil
		},
		reopen: func(ctx context.Context, p *satin.Peer, run satin.RunStats, in *Input) (shownRun, error) {
			s, root, err := satin.Attach[T, R](ctx, p, run.ID)
			if err != nil {
				return shownRun{}, err
			}
			view, err := show(root, in)
			if err != nil {
				s.Release()
				return shownRun{}, console.Usage("%v", err)
			}
			return view.of(s, p), nil
		},
		best: func(p *satin.Peer, run satin.RunID, in *Input) (Answer, error) {
			root, best, ok := satin.BestOf[T, R](p, run)
			if !ok {
				return nil, nil
			}
			view, err := show(root, in)
			if err != nil {
				return nil, err
			}
			return view.shows()(best), nil
		},
	}
}

// View is how what one run finds is shown. Its zero value shows a value as fmt and encoding/json
// do, or as it says itself where it is an [Answer].
type View[R any] struct {
	Answer func(found R) Answer

	// Around gives the run another way to show what it has so far than as the Answer of its
	// best. It may be a Follower. alone: it computes in this process. nil: it has none.
	Around func(r Running, alone bool) Running
}

// shows makes an answer of what was found.
func (v View[R]) shows() func(found R) Answer {
	if v.Answer == nil {
		return shown[R]
	}
	return v.Answer
}

// of is a run as the view has it.
func (v View[R]) of(s *satin.Submission[R], p *satin.Peer) shownRun {
	r := &submission[R]{s, v.shows()}
	h := shownRun{Running: r, hold: r}
	if v.Around != nil {
		h.Running = v.Around(r, p.ID() == "")
	}
	return h
}
