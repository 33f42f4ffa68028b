// Package workerstest holds data planes to the contract of package peer, whatever executes jobs
// there. Package workers has in code what may be ordered and said; this package plays the machine's
// part, and judges what is said.
//
// A [Bench] is a data plane with a loop: what the machine would order comes from here, and what it
// would hear is heard here. Orders are only ever chosen in a turn of that loop ([Bench.Turn]), by
// what has been said before it, as a machine does; so each interleaving that comes about is a legal
// one, and all that is known here belongs to those turns. Nothing here starts a goroutine or reads
// a clock.
//
// The program under test is a [Job]: a tree whose right answer is known, whose leaves may offer
// bests, tell facts, fail and panic, and whose results name their jobs, so that each can be judged
// by itself.
//
// # The judge
//
// A model of what was ordered and what was said judges every event by the rules ([Rule]): that each
// question is answered once, that what is Taken is a job that waits, that each result is the value
// of its key, that what must come comes. Scripts also ask the data plane what others are told of
// (workers.Plane), and judge the answers. What is late is not held against a data plane: an event
// may be on its way when an order is given, so a Finished after its Withdraw is right, once, and so
// is what is said of a run that has ended.
//
//   - [Scripts] lead to each rule by the shortest way, and look at what only they can know:
//     that a job was withdrawn long before it returned, that a part must be listed, how
//     many jobs may be had.
//   - [Walk] draws orders from a seed. It finds what nobody has thought of.
//   - [Plants] are violations that are planted between a data plane and its machine, some for each
//     rule, and each must be found as what it is: a rule that cannot be broken holds nobody.
//
// [Check] plays one script. What it returns is a [Broken] rule, or what the bench itself has found.
//
// # Limitations
//
// A plane whose workers are goroutines is not deterministic: a seed that failed may pass. Which
// run's turn it is, how many of the waiting jobs a Taken has, and in which order they were spawned,
// is known only where a script has arranged it. That keys and parts are complete is seen in
// scripts, too; walks see only that what is listed is right, and ask for nothing that others are
// told of. That Unkept is said when there is no room is for a data plane's own tests: here there is
// room. A client, which has no workers, is not tried.
package workerstest
