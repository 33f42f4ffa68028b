package node

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// submittedFolder is where in the state folder the processes that have submitted a run answer, each
// in a folder of its own.
const submittedFolder = "submitted"

// submittedOld is when a folder in which nobody answers is a dead process's, and not one
// that is about to answer.
const submittedOld = time.Minute

// lastWord means the run that was submitted on this machine last.
const lastWord = "@last"

func CancelCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "cancel", Category: "1 RUN", Usage: "withdraw a run of the grid", ArgsUsage: "RUN",
		Description: `Ends a run, whoever has submitted it, through the node that runs here; or one that was submitted on this machine, where
no node need run. RUN is the id that ` + con.Name + ` status shows, or the beginning of it, or @last: the one that was submitted on
this machine last. Whoever waits for the run is told.`,
		Flags: []cli.Flag{StateFlag(con)},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return console.Usage("cancel takes one run, by its id, but there are %d", c.NArg())
			}
			return adminError(cancelRun(con, con.StateFolder(c.String("state")), c.Args().First()))
		},
	}
}

// cancelRun finds whom to tell, and does so: who has submitted the run, if that is on this
// machine, else the node.
func cancelRun(con *console.Console, folder, word string) error {
	where, runs := map[string]string{}, []satin.RunStats{}
	own := submitters(folder)
	for _, dir := range own {
		s, err := admin.Ask(dir)
		if err != nil {
			forgetSubmitted(dir)
			continue
		}
		for _, r := range s.Runs {
			where[r.ID.String()] = dir
			runs = append(runs, r)
		}
	}
	if word == lastWord {
		if len(runs) == 0 {
			return &admin.Failure{Code: console.ExitUsage, Text: fmt.Sprintf("there is no run %s: none that was submitted on this machine goes on", lastWord)}
		}
		word = runs[len(runs)-1].ID.String()
	}
	s, err := admin.Ask(folder)
	if err != nil && (!errors.Is(err, admin.ErrNoNode) || len(runs) == 0) {
		return err
	}
	for _, r := range s.Runs {
		if where[r.ID.String()] == "" {
			where[r.ID.String()] = folder
			runs = append(runs, r)
		}
	}
	r, err := findRun(runs, word)
	if err != nil {
		return err
	}
	said := func(line string) { fmt.Fprintln(con.Out, line) }
	return admin.Tell(context.Background(), where[r.ID.String()], admin.Request{Do: admin.Cancel, Run: r.ID.String()}, said)
}

// submitters are the folders of the processes that have submitted a run on this
// machine, the youngest last.
func submitters(folder string) []string {
	// the pattern is sound
	dirs, _ := filepath.Glob(filepath.Join(folder, submittedFolder, "*"))
	began := map[string]time.Time{}
	for _, dir := range dirs {
		if info, err := os.Stat(dir); err == nil {
			began[dir] = info.ModTime()
		}
	}
	slices.SortStableFunc(dirs, func(a, b string) int { return began[a].Compare(began[b]) })
	return dirs
}

// findRun is the run that a word means: its id, or the beginning of it.
func findRun(runs []satin.RunStats, word string) (satin.RunStats, error) {
	var found, known []string
	var run satin.RunStats
	for _, r := range runs {
		known = append(known, r.ID.Short()+" ("+r.Task+")")
		if word != "" && strings.HasPrefix(r.ID.String(), strings.ToLower(word)) {
			run = r
			found = append(found, r.ID.String())
		}
	}
	switch {
	case len(found) == 1:
		return run, nil
	case len(runs) == 0:
		return run, &admin.Failure{Code: console.ExitUsage, Text: fmt.Sprintf("there is no run %q: nothing is computed", word)}
	case len(found) == 0:
		return run, &admin.Failure{Code: console.ExitUsage, Text: fmt.Sprintf("there is no run %q; there are %s", word, wording.List(known))}
	}
	return run, &admin.Failure{Code: console.ExitUsage, Text: fmt.Sprintf("several runs begin with %s: %s", word, wording.List(found))}
}

// cancel withdraws a run as a command wants it.
func cancel(p *satin.Peer, r admin.Request, say func(string)) error {
	run, err := findRun(p.Runs(), r.Run)
	if err != nil {
		return err
	}
	if err := p.CancelRun(run.ID); err != nil {
		return err
	}
	say(fmt.Sprintf("run %s of %s is cancelled", run.ID.Short(), run.Task))
	return nil
}

// submitter is a process that has submitted a run: it tells of its own, and cancels them.
type submitter struct{ peer *satin.Peer }

// Status tells of the runs that were submitted here.
func (s submitter) Status() admin.Status {
	status := admin.Status{Name: s.peer.Name(), ID: s.peer.ID(), PID: os.Getpid()}
	for _, r := range s.peer.Runs() {
		if r.Mine {
			status.Runs = append(status.Runs, r)
		}
	}
	return status
}

// Do cancels a run.
func (s submitter) Do(_ context.Context, r admin.Request, say func(string)) error {
	if r.Do != admin.Cancel {
		return &admin.Failure{Code: console.ExitUsage, Text: "this process has submitted a run, and is no node"}
	}
	return cancel(s.peer, r, say)
}

// AnswerHere lets satin cancel find a run that was submitted in this process, until what it returns
// is called. Where the state folder cannot be written, or its name is too long for a socket, it is
// found on the grid's members only.
func AnswerHere(folder string, p *satin.Peer) (end func()) {
	dir := filepath.Join(folder, submittedFolder, strconv.Itoa(os.Getpid()))
	if os.MkdirAll(dir, 0o700) != nil {
		return func() {}
	}
	server, err := admin.Listen(dir, submitter{p})
	return func() {
		if err == nil {
			server.Close()
		}
		os.Remove(dir)
	}
}

// forgetSubmitted drops what a process that was killed has left.
func forgetSubmitted(dir string) {
	if info, err := os.Stat(dir); err == nil && time.Since(info.ModTime()) > submittedOld {
		os.Remove(filepath.Join(dir, admin.SocketFile))
		os.Remove(dir)
	}
}
