package launch

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"time"
)

// Launcher starts nodes in one kind of place, and ends them. What it learns of a node it tells as
// it learns it, one at a time. An error says that nothing was learnt at all.
type Launcher interface {
	// Script is what Start does, as a shell script that one may keep.
	Script(l *Launch) string

	// Start starts the nodes of a launch. What does not come in is ended.
	Start(ctx context.Context, l *Launch, tell func(Standing)) error

	// List tells how the nodes of a launch stand.
	List(ctx context.Context, l *Launch, tell func(Standing)) error

	// Stop lets some nodes of a launch leave, and takes their folders away if that is wanted
	// and they have ended.
	Stop(ctx context.Context, l *Launch, nodes []int, remove bool, tell func(Standing)) error
}

// Launch is what one command line has started: nodes, which are numbered from 1.
type Launch struct {
	Name  string    `json:"name"`
	How   string    `json:"how"` // local, slurm, ssh or kubernetes
	Began time.Time `json:"began"`
	Nodes int       `json:"nodes"`
	Site  string    `json:"site,omitempty"` // of those whose machine has none of its own
	// the folder of tickets, or the ticket's file, by which they join; "": by ticket
	Join     string    `json:"join,omitempty"`
	Program  string    `json:"program"`         // the executable here
	Flags    []string  `json:"flags,omitempty"` // more of node's, or of sbatch's
	Machines []Machine `json:"machines,omitempty"`
	Slurm    *Array    `json:"slurm,omitempty"`
	Pods     *Pods     `json:"pods,omitempty"`
	Gone     []int     `json:"gone,omitempty"` // nodes whose folders were taken away

	folder string // of it, here
	ticket string // which holds the secret, and so is never written down with this
	digest string // of the executable, where it is copied
	grid   string // the name of a new one; "": they join one that is there
	own    bool   // Join is the folder that launch makes where none is given
	said   string // what --join says of a ticket that may be given again; "": nothing
}

// Machine is one on which nodes of a launch are, and how ssh reaches it.
type Machine struct {
	Target  string `json:"target,omitempty"` // user@host; "": this machine
	Port    int    `json:"port,omitempty"`   // 0: as ssh has it
	Site    string `json:"site,omitempty"`
	Workers int    `json:"workers,omitempty"` // of each of its nodes; 0: not said
	First   int    `json:"first"`             // its nodes are those from First
	Last    int    `json:"last"`              // to Last
}

// String is what people call it.
func (m Machine) String() string {
	switch {
	case m.Target == "":
		return "this machine"
	case m.Port != 0:
		return fmt.Sprintf("%s:%d", m.Target, m.Port)
	}
	return m.Target
}

// Condition is what a node of a launch is doing, in a word for people.
type Condition string

// The conditions.
const (
	Here      Condition = "here"          // a member of its grid
	Starting  Condition = "starting"      // its process runs, and is not in yet
	Pending   Condition = "pending"       // there is no machine for it yet
	Leaving   Condition = "leaving"       // it was told to leave, and has not ended yet
	Ended     Condition = "ended"         // no process is left
	Failed    Condition = "failed"        // it has not come in, and was ended
	Unreached Condition = "not reachable" // its machine does not answer
)

// Standing is how a node stands, or how all nodes of a machine do.
type Standing struct {
	First, Last int    // the nodes that it is about
	Where       string // the machine
	State       Condition
	Said        string // what it, or its machine, says of that
	Code        int    // with which one that has failed has ended; 0: not known

	// how long its machine will have it yet, as who lends that says in advance; 0: nobody does
	Left time.Duration
}

// left is how many seconds its machine has it yet; nil: that is not known.
func (s Standing) left() *float64 {
	if s.Left == 0 {
		return nil
	}
	seconds := s.Left.Seconds()
	return &seconds
}

// standing is that of one node.
func standing(node int, where string, state Condition, said string) Standing {
	return Standing{First: node, Last: node, Where: where, State: state, Said: said}
}

// nameOf is what the nodes are called that a standing is about.
func (l *Launch) nameOf(s Standing) string {
	if s.First == s.Last {
		return fmt.Sprintf("%s/%d", l.Name, s.First)
	}
	return fmt.Sprintf("%s/%d-%d", l.Name, s.First, s.Last)
}

// all are the numbers of all nodes, but for those that are gone.
func (l *Launch) all() (nodes []int) {
	for n := 1; n <= l.Nodes; n++ {
		if !slices.Contains(l.Gone, n) {
			nodes = append(nodes, n)
		}
	}
	return nodes
}

// joins is what --join of its nodes says.
func (l *Launch) joins() string {
	if l.Join == "" {
		return "-"
	}
	return l.Join
}

// ownGrid is the folder of tickets of a user's launches, below a state folder, where no other is
// given.
func ownGrid(state string) string { return filepath.Join(state, launchesFolder, "grid") }
