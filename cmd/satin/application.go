package main

import (
	"context"
	"io"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
)

// application is what the command knows of a program that it can run.
type application struct {
	name    string
	summary string
	input   string   // what INPUT is, for the usage line: "[N]"
	details string   // what INPUT may be and what is printed, in a few lines
	inputs  []string // the inputs that have names, for suggestions
	flags   []cli.Flag
	app     satin.App

	// chooses tells that the jobs read the best solution so far, so that several values of one are right. --verify leaves
	// those out, and so does nothing here.
	chooses bool

	// prepare reads the input, which is "" where none was given, and the flags, and says what is wrong with
	// them before anything is computed.
	prepare func(c *cli.Context, input string) (*prepared, error)

	checker *checker // nil: there is none
}

// applications are those of this binary.
func applications() []*application {
	return []*application{
		raytracerApplication(), tspApplication(), satApplication(), knapsackApplication(), utsApplication(), nqueensApplication(), fibApplication(),
	}
}

// embedded is the name of the input that a run without one gets.
const embedded = "(embedded)"

// prepared is a run that is ready to start.
type prepared struct {
	input string // as the answer names it
	start func(ctx context.Context, p *satin.Peer) (running, error)
}

// running is a run under way.
type running interface {
	Done() <-chan struct{}
	Progress() float64
	Stats() satin.Stats
	Answer() (answer, error) // once Done is closed
	Partial() (answer, bool) // the best so far, or what to show when there is none
}

// follower is a run that shows what it has so far in a way of its own. Follow is called a few times a second.
type follower interface{ Follow() }

// answer is what a run has found, ready to be shown.
type answer interface {
	Text(w io.Writer) error // for a person
	JSON() any              // for --json
}

// briefer is an answer that says in a few words how good it is, while the run goes on: "best 7542, bound 7500, gap 0.56 %".
type briefer interface{ Brief() string }

// keeper is an answer that is a file too. Keep writes it, whole or not at all.
type keeper interface{ Keep() error }

// coder is an answer that the exit code may tell too.
type coder interface{ Code() int }

// submit is a prepared.start for a task whose answers are shown by show.
func submit[T satin.Task[R], R any](task T, show func(R) answer) func(context.Context, *satin.Peer) (running, error) {
	return func(ctx context.Context, p *satin.Peer) (running, error) {
		s, err := satin.Submit(ctx, p, task)
		if err != nil {
			return nil, err
		}
		return &submission[R]{s, show}, nil
	}
}

// submission shows the answers of a typed run.
type submission[R any] struct {
	*satin.Submission[R]
	show func(R) answer
}

func (s *submission[R]) Answer() (answer, error) {
	r, err := s.Wait()
	if err != nil {
		return nil, err
	}
	return s.show(r), nil
}

func (s *submission[R]) Partial() (answer, bool) {
	r, ok := s.Best()
	if !ok {
		return nil, false
	}
	return s.show(r), true
}
