// Package gridsim runs many [peer.Peer]s, the very machines that ship, in virtual time.
//
// A [World] holds hosts, links and a queue of events. Its own model is only of links (delay, jitter, rate, loss,
// doubling), of clocks, and of what jobs cost: each host has a data plane that keeps the contract in
// package peer, but computes by waiting. [Draw] makes [Options] from a seed, [Run] plays them and returns a [Report].
// A [Workload] is a tree of jobs whose answer is known from computing it alone.
//
// One seed decides everything, and the same seed gives the same [Report.Hash], which covers every event and every
// message. That is how one knows that the machines are pure: a clock, a map order or a global random number in any of them
// would show.
//
// # Checkers
//
// Each failure names its checker:
//
//   - answer: what is delivered is what one core finds alone
//   - once: each submission is answered once
//   - one state: each unfinished job whose owner lives is in exactly one of deque, running, lent; the ledger and the data plane agree
//   - best: a peer's best only improves, and its witness has the value that it claims
//   - will: who leaves in time has handed all that it kept to its heir
//   - epoch: a run's epochs only grow
//   - entry: a result that is kept for others is the job's value, and an orphan's is kept until the run ends
//   - redone: in a schedule that says so, no more work is done twice than it allows
//   - machine: no machine finds its own invariants broken
//   - end: the run ends in bounded virtual time after its faults have stopped
//   - fact: what a job hears follows from the root
//   - empty: then nothing is left of it in any ledger, record or data plane
//
// # Costs
//
// An event takes two to five microseconds; a run of 2,000 jobs over 8 peers some ten milliseconds.
//
// # Limitations
//
// A host's messages are handled at once, however many there are: the cost of control is not part of the model.
package gridsim
