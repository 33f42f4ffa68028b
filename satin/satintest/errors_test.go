package satintest_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"sync/atomic"
	"testing"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

var errInfeasible = errors.New("infeasible")

// Refuses returns an error that a parent may want to tell from others.
type Refuses struct{ How string }

var refusals atomic.Int32

func (r Refuses) Run(s *satin.Scope) (int, error) {
	refusals.Add(1)
	switch r.How {
	case "sentinel":
		return 1, errInfeasible
	case "wrapped":
		return 1, fmt.Errorf("of two: %w", errInfeasible)
	case "typed":
		return 1, &fs.PathError{Op: "open", Path: "x", Err: fs.ErrNotExist}
	case "context":
		return 1, context.Canceled
	case "none":
		_, err := satin.First(s, []Refuses{{}}, func(int) bool { return false })
		return 1, err
	case "withdrawn", "withdrawn and wrapped":
		x := satin.Spawn(s, Refuses{})
		s.Abort()
		_, err := x.Wait(s)
		if r.How != "withdrawn" {
			err = fmt.Errorf("given up: %w", err)
		}
		return 1, err
	case "below", "below and wrapped":
		_, err := satin.Spawn(s, Refuses{"sentinel"}).Wait(s)
		if r.How != "below" {
			err = fmt.Errorf("from below: %w", err)
		}
		return 1, err
	case "own":
		return 1, &satin.JobError{Task: "own", Err: errInfeasible}
	case "silent":
		return 1, errors.New("")
	}
	return 1, nil
}

// Looks says what it can tell of the error of a child, which it runs itself or, on a grid, leaves
// to another peer.
type Looks struct {
	How  string
	Here bool
}

func (l Looks) Run(s *satin.Scope) (string, error) {
	before := refusals.Load()
	x := satin.Spawn(s, Refuses{l.How})
	if !l.Here {
		computesUntil(s, func() bool { return refusals.Load() > before })
	}
	n, err := x.Wait(s)
	var job *satin.JobError
	var path *fs.PathError
	var by string
	text := fmt.Sprint(err)
	if errors.As(err, &job) {
		by, text = job.Peer, fmt.Sprint(job.Task, " ", job.Err)
	}
	_, bare := err.(*satin.JobError)
	return fmt.Sprint(text, "; ", n, bare, errors.Is(err, errInfeasible), errors.Is(err, fs.ErrNotExist), errors.As(err, &path),
		errors.Is(err, context.Canceled), errors.Is(err, satin.ErrNone), errors.Is(err, satin.ErrWithdrawn), " by ", by), nil
}

// TestErrorsAreTheirText: who has run a job does not decide what its parent can tell of its error.
func TestErrorsAreTheirText(t *testing.T) {
	app := satin.App{Name: "errors", Tasks: []satin.TaskType{satin.Type[Looks](), satin.Type[Refuses]()}}
	g := satintest.Start(t, satintest.Config{App: app, Sites: []satintest.Site{{Name: "a", Peers: 2}}})
	one := strings.NewReplacer("satintest_test.", "")
	look := func(p *satin.Peer, l Looks) (said, by string) {
		t.Helper()
		text, err := satin.Run(t.Context(), p, l)
		if err != nil {
			t.Fatal(err)
		}
		said, by, _ = strings.Cut(one.Replace(text), " by ")
		return said, by
	}
	// how often another peer has done it; one that is faster than its parent may always
	others := 0
	for how, want := range map[string]string{
		"":                      "<nil>; 1 false false false false false false false",
		"sentinel":              "Refuses infeasible; 0 true true false false false false false",
		"wrapped":               "Refuses of two: infeasible; 0 true false false false false false false",
		"typed":                 "Refuses open x: file does not exist; 0 true false false false false false false",
		"context":               "Refuses context canceled; 0 true false false false true false false",
		"none":                  "Refuses satin: no result was accepted; 0 true false false false false true false",
		"withdrawn":             "satin: the job was withdrawn; 0 false false false false false false true",
		"withdrawn and wrapped": "satin: the job was withdrawn; 0 false false false false false false true",
		"below":                 "Refuses infeasible; 0 true true false false false false false",
		"below and wrapped":     "Refuses infeasible; 0 true true false false false false false",
		"own":                   "Refuses infeasible (job own 00000000 on ); 0 true false false false false false false",
		"silent":                "Refuses satin: a job failed and gave no reason; 0 true false false false false false false",
	} {
		alone, _ := look(nil, Looks{how, true})
		here, by := look(g.Client, Looks{how, true})
		there, elsewhere := look(g.Client, Looks{how, false})
		if alone != want || here != want || there != want {
			t.Errorf("%q: alone %q, by the same peer %q, by another %q; want %q", how, alone, here, there, want)
		}
		if by != elsewhere {
			others++
		}
	}
	if others == 0 {
		t.Error("all is always done by one peer")
	}
}
