package peer

import (
	"satingrid/membership"
	"satingrid/steal"
)

// Effect is something that the owner of a Peer carries out. It is one of these:
//
//   - for the carrier: Send, Publish, membership.Dial;
//   - for the next start: KeepAddresses, KeepEnds;
//   - for the disk: Save, Forget, WantStored;
//   - for the workers: StartRun, ShareIs, EndRun, Execute, Withdraw, steal.WantJobs, PutBack,
//     Settle, Compare, Differ, WantParts, WantKeys, Use, Hear;
//   - for who knows what the workers have done: WantWork;
//   - for the application: Admitted, NotOn, Deliver, Contradiction;
//   - for people: Started, Mastered, membership.Joined, membership.Lost, membership.Rejoined,
//     membership.Banned, membership.Bar, membership.Unbarred, Ordered, LeavesLate, Progressed,
//     Reported, Resumed, RunOver;
//   - for who waits: to be let in, Stranded and WentOn; for an order that was given, OrderDone; for
//     a command, CommandDone; for the statistics of an answer, AllReported;
//   - for the loop: Left, Stayed.
type Effect any

// RunNo is this process's number for a run; greater is younger.
type RunNo uint64

// LossNo is this process's number for the loss of a member; greater is later, and none is 0.
type LossNo uint64

// Send asks for a message to one peer or client.
type Send struct {
	To      membership.PeerID
	Message Message
}

// Publish asks for a message to everybody but this peer, as a hint that may be lost.
type Publish struct{ Message Message }

// StartRun tells the workers of a run.
type StartRun struct {
	Run      RunNo
	Instance steal.Instance
	Task     string
	Root     []byte // canonical; read-only
	Terms    Terms
}

// ShareIs tells the workers that a run has another share of them from now on.
type ShareIs struct {
	Run   RunNo
	Share uint16
}

// EndRun tells the workers that a run is over.
type EndRun struct{ Run RunNo }

// Execute gives the workers a job.
type Execute struct {
	Run    RunNo
	Borrow steal.Borrow
	IsRoot bool
	Key    steal.Key
	Task   string
	Args   []byte // canonical; read-only
	// of the lent job that is executed again, with the fields that it was spawned with; 0: none
	Ref steal.Ref
	// the peer whose job it is; "": this one's, or a root
	Owner membership.PeerID

	Verifies bool // all jobs that descend from it are Taken as such
}

// Withdraw tells the workers that nobody waits for a job that they were given. With Salvage, what
// is finished of it may be of use to whoever does it again.
type Withdraw struct {
	Borrow  steal.Borrow
	Salvage bool
}

// WantWork asks what was done here for a run that is kept and has its answer now: see [Peer.Did].
type WantWork struct{ Run RunNo }

// WantParts asks the workers for all their parts.
type WantParts struct{}

// WantKeys asks the workers for the keys of the unfinished jobs of a run.
type WantKeys struct{ Run RunNo }

// Use gives the workers a value for the unfinished jobs of a run that have that key.
type Use struct {
	Run    RunNo
	Key    steal.Key
	Result steal.Result
}

// Hear gives the workers a fact that a job elsewhere told.
type Hear struct {
	Run  RunNo
	From membership.PeerID
	Fact []byte
}

// PutBack gives the workers back a job that was taken. With Loss, its thief was lost, which may
// have done some of it: what that costs again is put down to this loss. 0: its loan has ended
// otherwise.
type PutBack struct {
	Ref  steal.Ref
	Loss LossNo
}

// Settle gives the workers the result of a job that was taken.
type Settle struct {
	Ref    steal.Ref
	Result steal.Result
}

// Compare asks the workers whether a value that came from outside is better than their best, and to
// make it that if it is.
type Compare struct {
	Run  RunNo
	Best steal.Stamp
	From membership.PeerID // who brought it
}

// Differ asks the application whether one of two answers to a submission is better than the other.
type Differ struct {
	Nonce steal.Nonce
	Task  string
	A, B  []byte
}

// Deliver gives the application the answer to its submission. Best is the run's best, if it has
// one: then it is the answer's bytes, too.
type Deliver struct {
	Nonce  steal.Nonce
	Result steal.Result
}

// Admitted tells the application that the grid has its submission, as part of a run. When that is
// to be kept, the death of no one peer loses it from now on, nor this process's. It comes with the
// answer, when that is there before.
type Admitted struct {
	Nonce steal.Nonce
	Run   steal.Instance
}

// NotOn tells the application that the run which it wants to join is not on: it may have ended.
type NotOn struct{ Nonce steal.Nonce }

// Contradiction tells the application that the grid contradicts itself.
type Contradiction struct {
	Nonce steal.Nonce
	Text  string
}

// Started tells that this peer has become a member.
type Started struct{ Member membership.Member }

// Mastered tells that a run has a new master.
type Mastered struct {
	Run    RunNo
	Master membership.PeerID
	Epoch  membership.Epoch
}

// Job is a job that the workers hand to the machine.
type Job struct {
	Ref  steal.Ref
	Run  RunNo
	Key  steal.Key
	Task string
	Args []byte // canonical

	Verifies bool // it descends from one that was executed as such
	PassedOn bool // it was borrowed itself, and nobody has begun it here
}

// Part is a finished child of an unfinished job.
type Part struct {
	Run    RunNo
	Key    steal.Key
	Result steal.Result
}

// Root is what is submitted.
type Root struct {
	Run    steal.Key // of app, version, task and fields
	Task   string
	Args   []byte    // canonical
	Digest steal.Key // of Args
	Terms  Terms
	Asked  Asked
}

// RootOf is a root with its digest. It takes as long as Args are.
func RootOf(run steal.Key, task string, args []byte) Root {
	return Root{Run: run, Task: task, Args: args, Digest: steal.KeyOf(args)}
}

// With is the root under other terms.
func (r Root) With(t Terms) Root {
	r.Terms = t
	return r
}
