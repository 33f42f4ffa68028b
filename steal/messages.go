package steal

import "satingrid/membership"

// The kinds of steal's messages: 32 to 63.
const (
	KindAsk uint8 = iota + 32
	KindNothing
	KindWake
	KindLend
	KindReturn
	KindReturned
	KindWithdraw
	KindProbe
	KindMissing
)

// AskNo is a thief's number for a request, from 1.
type AskNo uint64

// Ask asks for jobs.
type Ask struct {
	Number AskNo      // the answer repeats it
	Jobs   uint16     // at most so many
	Bytes  uint32     // of at most so much together, beyond the first
	Of     []Instance // of one of these runs, the first rather than the last; none: of any
}

// Nothing answers an Ask: no job now. The asker is remembered and will be woken.
type Nothing struct{ Number AskNo }

// Wake tells one that asked in vain that there is work now.
type Wake struct{}

// Lent is one job on its way to a thief.
type Lent struct {
	Number LoanNo // of the loan
	Key    Key
	Task   string
	Args   []byte
	// it is executed to verify a result, or a part of what is: it is not verified itself
	Verifies bool `cbor:",omitempty"`
}

// Lend brings jobs of one run.
type Lend struct {
	Run    Instance
	Epoch  membership.Epoch // of the run, as the owner knows it
	Best   Stamp
	Answer AskNo // the number of the Ask; 0 when there was none to answer any more
	Jobs   []Lent
}

// Return brings a borrowed job's result to its owner.
type Return struct {
	Run    Instance
	Best   Stamp
	Number LoanNo // of the loan
	Result Result
}

// Returned acknowledges results, used or not.
type Returned struct{ Numbers []LoanNo }

// Withdraw tells the thief that nobody wants these loans any more. It is sent once: probes
// repair its loss. Orphaned jobs are those whose parent was itself an orphan: what is
// finished of them is kept.
type Withdraw struct {
	Orphaned bool
	Numbers  []LoanNo
}

// ProbeNo is an owner's number for what it asks one life of a thief, from 1.
type ProbeNo uint64

// Probe asks which of the loans named the thief still has, and withdraws every
// other one below Before.
type Probe struct {
	Number  ProbeNo
	Before  LoanNo
	Numbers []LoanNo // ascending
}

// Missing answers a Probe. Every number in it is one that the thief has not got
// and will never accept.
type Missing struct {
	Number  ProbeNo // 0: nobody has asked
	Numbers []LoanNo
}

func (Ask) Kind() uint8      { return KindAsk }
func (Nothing) Kind() uint8  { return KindNothing }
func (Wake) Kind() uint8     { return KindWake }
func (Lend) Kind() uint8     { return KindLend }
func (Return) Kind() uint8   { return KindReturn }
func (Returned) Kind() uint8 { return KindReturned }
func (Withdraw) Kind() uint8 { return KindWithdraw }
func (Probe) Kind() uint8    { return KindProbe }
func (Missing) Kind() uint8  { return KindMissing }
