package across

import (
	"encoding/json"
	"time"

	"satingrid/satin/program/runs"
)

// Schema is the version of all that is said. It stays: who does not know it understands nothing.
const Schema = 1

// Subject is what a question is for.
type Subject string

// The questions. Those who do not know one say so.
const (
	AskGrid      Subject = "grid"      // which grid that is, and what others it knows
	AskSuccessor Subject = "successor" // the same; the visitor's grid is your next
	AskPeers     Subject = "peers"     // its members
	AskJobs      Subject = "jobs"      // its runs
	AskCancel    Subject = "cancel"    // end one
	AskShare     Subject = "share"     // give one another share of the workers
	AskLogs      Subject = "logs"      // what has happened to one
	AskResult    Subject = "result"    // the answer of one
	AskDoing     Subject = "doing"     // what the members at your site do
)

// Question is what a visitor asks.
type Question struct {
	Schema int     `json:"schema"`
	Ask    Subject `json:"ask"`
	// the visitor's; of AskSuccessor
	Grid *Grid `json:"grid,omitempty"`
	// the run's id, or the beginning of it; of AskCancel, AskShare, AskLogs and AskResult
	Run string `json:"run,omitempty"`
	// the number of the first line; of AskLogs
	From int `json:"from,omitempty"`
	// of AskShare
	Share int `json:"share,omitempty"`
	// the answer as --json prints it; of AskResult
	JSON bool `json:"json,omitempty"`
	// what you do yourself, and nobody else; of AskDoing
	Alone bool `json:"alone,omitempty"`
	// the last loans, too; of AskDoing
	Loans bool `json:"loans,omitempty"`
}

// Grid is one of the grids of a secret: the members of one build.
type Grid struct {
	Build string   `json:"build"` // its digest
	Made  string   `json:"made"`  // what it was made from, in words
	Addrs []string `json:"addrs"` // of members
}

// Short is a grid's build as people are told of it.
func (g Grid) Short() string { return g.Build[:min(len(g.Build), shortBuild)] }

// shortBuild is how much of a digest is shown: package build shows as much.
const shortBuild = 12

// declaredMax bounds the addresses of a declared successor: as many as fit into a visit's question,
// however long they are.
const declaredMax = 48

// Succession is the question that declares a grid the successor of the one that is visited.
func Succession(g Grid) Question {
	g.Addrs = g.Addrs[:min(len(g.Addrs), declaredMax)]
	return Question{Ask: AskSuccessor, Grid: &g}
}

// Response is what the host that is visited says. One with an error says nothing else.
type Response struct {
	Schema int    `json:"schema"`
	Error  string `json:"error,omitempty"`
	Code   int    `json:"code,omitempty"` // the exit code that goes with the error
	// of AskResult: a client of that build can fetch what a visit cannot bring
	Fetch bool `json:"fetch,omitempty"`

	*Portrait // of AskGrid and AskSuccessor
	*Peers    // of AskPeers
	*Jobs     // of AskJobs
	*Printed  // of AskResult
	*Activity // of AskDoing

	Story *runs.Story `json:"story,omitempty"` // of AskLogs
}

// Portrait is a grid, and what it knows of others of its secret.
type Portrait struct {
	Name string `json:"name"`
	Grid
	Runs     int    `json:"runs_on"` // that are not answered
	Next     []Grid `json:"next"`    // its successors
	Previous []Grid `json:"previous"`
}

// Peers are a grid's members, as peers --json has them.
type Peers struct {
	Peers []Peer `json:"peers"`
}

// Peer is a member.
type Peer struct {
	Name    string   `json:"name"`
	ID      string   `json:"id"`
	Site    string   `json:"site"`
	State   string   `json:"state"`
	Workers int      `json:"workers"`
	Addrs   []string `json:"addrs"`
	Build   string   `json:"build,omitempty"` // what version says of that peer's
}

// Jobs are a grid's runs, as jobs --json has them.
type Jobs struct {
	Grid string    `json:"grid"`
	Runs []RunLine `json:"runs"`
	// why those of other builds' grids are not among them; a node tells its own grid's alone
	Missing string `json:"missing,omitempty"`
}

// RunLine is a run as a list has it.
type RunLine struct {
	ID       string     `json:"id"`
	Key      string     `json:"key"`
	App      string     `json:"app"`
	Input    string     `json:"input"`
	Task     string     `json:"task"`
	State    string     `json:"state"`
	Who      string     `json:"who"`
	When     *time.Time `json:"when"` // by the clock of who has submitted it; null: not said
	Age      float64    `json:"age_seconds"`
	Progress float64    `json:"progress"`
	Left     []float64  `json:"left_seconds"` // at least, at most; null: not known
	Share    int        `json:"share"`
	Master   string     `json:"master"`
	Waits    int        `json:"waiting"`
	Keep     float64    `json:"keep_seconds"`
	Kept     float64    `json:"kept_seconds"`
	Build    string     `json:"build"`
	Ends     int        `json:"lives_ended,omitempty"` // as satin.RunStats has it
}

// Printed is what result prints of a run, and how it ends.
type Printed struct {
	Text string `json:"text"`
	Exit int    `json:"exit"`
	// what it says on stderr beside the text, of a run that failed
	Says string `json:"says,omitempty"`
}

// encode makes bytes of a question or an answer.
func encode(v any) []byte {
	text, err := json.Marshal(v)
	if err != nil {
		panic("across: BUG: what is said has no JSON: " + err.Error())
	}
	return text
}
