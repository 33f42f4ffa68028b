package peer

import (
	"satingrid/membership"
	"satingrid/steal"
)

// Effect is something that the owner of a Peer carries out. It is one of, for the carrier: Send, Publish,
// membership.Dial; for the workers: StartRun, EndRun, Execute, Withdraw, steal.WantJobs, PutBack, Settle,
// Improve, WantParts, WantKeys, Use, Hear; for the application: Deliver, Fault; for people: Started, Mastered, membership.Joined,
// membership.Lost, membership.Rejoined, membership.Banned, membership.Bar; for the loop: Left.
type Effect any

// RunNo is this process's number for a run; greater is younger.
type RunNo uint64

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
}

// EndRun tells the workers that a run is over.
type EndRun struct{ Run RunNo }

// Execute gives the workers a job.
type Execute struct {
	Run    RunNo
	Borrow uint64
	IsRoot bool
	Key    steal.Key
	Task   string
	Args   []byte // canonical; read-only
}

// Withdraw tells the workers that nobody waits for a job that they were given. With Salvage, what is finished of
// it may be of use to whoever does it again.
type Withdraw struct {
	Borrow  uint64
	Salvage bool
}

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
	Fact []byte
}

// PutBack gives the workers back a job that was taken. Again says that a loan of it was lost, so that part of
// it may have been done before.
type PutBack struct {
	Ref   uint64
	Again bool
}

// Settle gives the workers the result of a job that was taken.
type Settle struct {
	Ref    uint64
	Result steal.Result
}

// Improve gives the workers a better best.
type Improve struct {
	Run   RunNo
	Value []byte
}

// Deliver gives the application the answer to its submission. Best is the run's best, if it has one: then it
// is the answer's bytes, too.
type Deliver struct {
	Nonce  uint64
	Result steal.Result
}

// Fault tells the application that the grid contradicts itself.
type Fault struct {
	Nonce uint64
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
	Ref  uint64
	Run  RunNo
	Key  steal.Key
	Task string
	Args []byte // canonical
}

// Part is a finished child of an unfinished job.
type Part struct {
	Run    RunNo
	Key    steal.Key
	Result steal.Result
}

// Root is what is submitted.
type Root struct {
	Run  steal.Key // of app, version, task and fields
	Task string
	Args []byte // canonical
}
