package launch

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// nodesOf is how many nodes a launch has, in words.
func nodesOf(l *Launch) string { return wording.Count(l.Nodes, "node") }

// start starts the nodes of a launch, or prints how, and says how each stands and what can be done
// now.
func start(con *console.Console, c *cli.Context, l *Launch) error {
	by, err := launcherOf(con, l)
	if err != nil {
		return err
	}
	state, err := stateOf(con, c)
	if err != nil {
		return err
	}
	if c.Bool("print") {
		l.place(state)
		_, err := io.WriteString(con.Out, by.Script(l))
		return err
	}
	if err := l.makeGrid(); err != nil {
		return err
	}
	l.Began = time.Now().Round(time.Second)
	if err := l.begin(state); err != nil {
		return err
	}
	stop := con.Catch(nil)
	defer stop.Release()
	s := &starting{con: con, by: by, l: l}
	if err := stop.Unless("interrupted before the nodes were in", s.begin); err != nil {
		return err
	}
	return s.outcome()
}

// starting is how the start of a launch goes.
type starting struct {
	con   *console.Console
	by    Launcher
	l     *Launch
	tells *tidings
}

// begin starts the nodes. Where that fails as a whole, or is interrupted, nothing is left.
func (s *starting) begin(ctx context.Context) (err error) {
	s.tells = &tidings{con: s.con, l: s.l}
	console.WhileSlow(
		func() { err = s.by.Start(ctx, s.l, s.tells.tell) },
		func() { s.con.Say("starting %s", nodesOf(s.l)) },
	)
	var u *unsure
	may := errors.As(err, &u)
	if ctx.Err() != nil {
		err = ctx.Err()
	}
	if err != nil {
		s.undo(s.l.all(), may)
	}
	return err
}

// unsure is the error of a start that may happen yet.
type unsure struct{ error }

func (u *unsure) Unwrap() error { return u.error }

// undo ends nodes of a launch that has come to nothing, and forgets it unless some may come yet.
func (s *starting) undo(nodes []int, mayCome bool) {
	var left []string
	err := s.by.Stop(context.Background(), s.l, nodes, true, func(is Standing) {
		if is.State != Ended {
			left = append(left, fmt.Sprintf("%s at %s (%s %s)", s.l.nameOf(is), is.Where, is.State, is.Said))
		}
	})
	if err != nil {
		left = append(left, err.Error())
	}
	if len(left) > 0 {
		s.con.Say("what may still run: %s; %s launch stop %s tries again", strings.Join(left, "; "), s.con.Name, s.l.Name)
		return
	}
	if mayCome {
		s.con.Say("the nodes may come yet; %[1]s launch list shows them, and %[1]s launch stop %[2]s ends them", s.con.Name, s.l.Name)
		return
	}
	if err := s.l.forget(); err != nil {
		s.con.Say("%v", err)
	}
}

// outcome says what can be done with the nodes, if there are any, and fails for those that have not
// come in.
func (s *starting) outcome() error {
	failed := s.tells.failed
	if len(failed) == 0 {
		s.advise()
		return nil
	}
	lost, alike, reached, unknown := 0, true, []int{}, []int{}
	for _, f := range failed {
		lost += f.Last - f.First + 1
		alike = alike && f.Code == failed[0].Code && f.Said == failed[0].Said && f.State == Failed
		for n := f.First; n <= f.Last && f.State != Unreached; n++ {
			reached = append(reached, n)
			if f.Code == 0 { // it may run
				unknown = append(unknown, n)
			}
		}
	}
	none := lost == s.l.Nodes
	if !none || !alike {
		for _, f := range failed {
			s.con.Say("%s", line(s.l, f))
		}
	}
	if !none {
		if len(unknown) > 0 {
			// as well as that goes
			s.by.Stop(context.Background(), s.l, unknown, false, func(Standing) {})
		}
		s.advise()
		return fmt.Errorf("%d of %s did not start", lost, nodesOf(s.l))
	}
	s.undo(reached, false)
	if !alike {
		return errors.New("no node has started")
	}
	code := console.ExitFailed
	if slices.Contains([]int{console.ExitUsage, console.ExitRefused, console.ExitIncompatible}, failed[0].Code) {
		code = failed[0].Code
	}
	why := strings.TrimPrefix(failed[0].Said, s.con.Name+": ")
	return &console.Error{Code: code, Text: fmt.Sprintf("no node has started; the last word of %s was: %s", s.l.nameOf(failed[0]), why)}
}

// advise says what to type next.
func (s *starting) advise() {
	run := s.con.Name + " run …"
	switch {
	case s.l.grid != "":
		run = s.l.inside(s.con.Name)
	case s.l.Join != "":
		run += " --join " + quoted(s.l.Join)
	case s.l.said != "":
		run += " --join " + quoted(s.l.said)
	}
	fmt.Fprintf(s.con.Out, "to run on it:  %s\nto stop it:    %s launch stop %s\n", run, s.con.Name, s.l.Name)
}

// tidings prints a line for each thing that it is told, and keeps what has failed for the end: many
// nodes fail for one reason.
type tidings struct {
	con    *console.Console
	l      *Launch
	failed []Standing
}

func (t *tidings) tell(s Standing) {
	switch s.State {
	case Failed, Unreached:
		t.failed = append(t.failed, s)
	default:
		fmt.Fprintln(t.con.Out, line(t.l, s))
	}
}

// line is how nodes stand, for a person.
func line(l *Launch, s Standing) string {
	text := fmt.Sprintf("%-16s %-16s %s", l.nameOf(s), s.Where, s.State)
	if s.Said != "" {
		text += ": " + s.Said
	}
	if s.Left > 0 {
		text += "; it has to be gone in " + console.Brief(s.Left.Seconds())
	}
	return text
}
