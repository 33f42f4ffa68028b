package steal

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"strings"

	"satingrid/membership"
)

// Nonce tells the submissions of a submitter apart. It is drawn, so that a submitter that starts
// again does not repeat one.
type Nonce uint64

// Submission says who asked.
type Submission struct {
	Submitter membership.PeerID
	Nonce     Nonce

	// No process waits by it: it keeps the run, and its answer, whatever becomes of who has
	// submitted it.
	Keeps bool `cbor:",omitempty"`
}

// Compare orders submissions, in no meaningful order.
func (s Submission) Compare(t Submission) int {
	if c := strings.Compare(string(s.Submitter), string(t.Submitter)); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(s.Nonce, t.Nonce), cmp.Compare(s.byte(), t.byte()))
}

// Kept is the submission that keeps a run for which this one was made.
func (s Submission) Kept() Submission {
	s.Keeps = true
	return s
}

// byte is whether it keeps the run, as a number.
func (s Submission) byte() byte {
	if s.Keeps {
		return 1
	}
	return 0
}

// Instance is one run: what is computed, and the submission it was started for. Everything kept for
// a run belongs to an instance, so that the same root submitted later is computed anew.
type Instance struct {
	Run   Key
	First Submission
}

// Compare orders instances, in no meaningful order.
func (i Instance) Compare(j Instance) int {
	if c := bytes.Compare(i.Run[:], j.Run[:]); c != 0 {
		return c
	}
	return i.First.Compare(j.First)
}

// ID names the instance, for people: two of one run differ.
func (i Instance) ID() Key {
	b := append(i.Run[:len(i.Run):len(i.Run)], i.First.Submitter...)
	return KeyOf(append(binary.BigEndian.AppendUint64(b, uint64(i.First.Nonce)), i.First.byte()))
}

// LoanNo is an owner's number for a loan, from 1; greater is younger.
type LoanNo uint64

// Loan identifies one lending.
type Loan struct {
	Owner       membership.PeerID
	Incarnation membership.Incarnation // the owner's
	Number      LoanNo
}

// Outcome tells what a result is.
type Outcome uint8

// The outcomes of a job. A withdrawn job has none.
const (
	Value  Outcome = iota // Bytes is the value
	Failed                // Bytes is the error's text: the parent's Wait returns it
	// Bytes tells job, key, peer and stack: the run fails, no Wait returns it
	Panicked
)

// Result is what a job came to.
type Result struct {
	Outcome Outcome
	// the value may depend on timing: the job read the best, or used First, Abort or Heard
	Choosing bool
	// worker milliseconds that it took, all its descendants included; an estimate
	Cost  uint32
	Bytes []byte // canonical
}

// Stamp names the sender's best of the run, and carries it unless the receiver has it. The zero
// digest says that there is no best.
type Stamp struct {
	Digest Key
	// nil when the receiver is known to have it, or when it is too big to ride along
	Value []byte
}

// StampOf names and carries a value. It takes as long as the value is.
func StampOf(value []byte) Stamp { return Stamp{Digest: KeyOf(value), Value: value} }
