// Package steal moves jobs between peers: what is lent and borrowed, whom to ask for
// more, and whom to give.
//
// A [Key] is the identity of a value. An [Instance] is one run. A [Ledger] holds what this peer has
// lent and borrowed; a [Thief] decides whom to ask while workers are idle; a [Victim] decides whom
// to give. The three know peers, but no orphans and no runs beyond their names.
//
// The machines do no I/O, start no goroutine, read no clock and draw from no global random source.
//
// # Whom a thief asks
//
// Cluster-aware random stealing (CRS; van Nieuwpoort, Kielmann and Bal, PPoPP 2001), on thief T:
//
//  1. While a worker of T is idle, and there is a run, one request is out to a peer of its own
//     site. The victim is who gave last, or has woken T; else one is drawn at random, but not the
//     one that had nothing the last time.
//
//  2. Beside it one request is out to a peer of another site, drawn likewise, while the own site
//     has had nothing lately, or is slow to say so. T does not wait for its answer, and goes on
//     asking near.
//
//  3. A victim that has nothing says so, and remembers T: it wakes T when it has work ([Wake]).
//     After some requests in vain T pauses, twice as long each time; a wake-up ends the pause.
//
// For comparison:
//
//   - [RS] draws from all peers, one at a time.
//
//   - [PlainCRS] is step 2 as it was published: a far request is on its way whenever a worker is
//     idle, though the site has jobs.
//
//   - [CHS] is cluster-aware hierarchical stealing (the same paper, which measured it beside CRS).
//     The peers of a site are a binary tree. An idle one asks all below it, level by level, then
//     the one above it. Only the first of the tree, the coordinator, asks outside the site: when
//     all there have had nothing for it, the coordinator of another site, which it draws; and it
//     waits for the answer. One that is asked, has no idle worker and no job either, asks those
//     below it, and passes on what comes. The published scheme has a request go down the tree by
//     those who have nothing; here whoever asks does so itself, in the same order, and an idle peer
//     that is asked says at once that it has nothing, and wakes who asked when it has.
//
// All ask for as many jobs at a time as is said below, but CHS not before a worker is idle.
//
// # How much it asks for
//
// A job of a regular tree lasts for longer than the next takes to come: [JobsNear] job of the own
// site, or [JobsFar] of another, are enough. Of a thin tree, such as UTS T3L, most jobs are a few
// nodes and a few are millions, and nobody knows which before. Of two sites 20 ms apart the poor
// one got all that it asked for, 445 times of 446; four jobs lasted 13 ms, and the way took 40. So
// T finds out, for each of the two directions:
//
//  1. It measures how long a request takes until its jobs are here, and how long these last: until
//     a worker is idle again.
//
//  2. When they have lasted for less than eight such trips, and were as many as were asked for, it
//     asks for more, up to [JobsMost]: by the root of what is missing, since n jobs of a thin tree
//     last for n² as long. When they have lasted for more than 64 it asks for half. So where jobs
//     last nothing differs from what is said above.
//
//  3. Where it asks for more than is said above, it asks again when half of what came has ended,
//     before a worker is idle: once for what came, so that one that has plenty of what a single
//     job has spawned does not go on fetching.
//
//  4. It forgets that when a run begins and no other is on. What was learned of a thin tree does
//     harm to a wide one: half of all open jobs are nearly all of its work, both ends fetch from
//     each other what they gave, and the results of jobs of jobs come back one trip after another.
//     T1L after T3L, 100 ms apart, took 1.4 to 1.7 times as long as in one process, and now 1.03.
//
// The victim V gives no more than half of the jobs that lie open with it, the oldest ones. Where
// several ask at once each has what it asks for, or as much as the others.
//
// More requests at a time, to different peers, do harm: with three, eight sites 20 ms apart lent
// seven times as many jobs and took a sixth longer, since each has half of what the others have.
//
// # A lost message is not a lost job
//
// On owner O and thief T:
//
//  1. O takes the oldest job from a deque and enters it in the ledger as lent, under the next
//     number, before it sends it. From now on the job is in the ledger and nowhere else, until
//     exactly one of: settled, put back, or withdrawn.
//
//  2. T enters what arrives as borrowed. A number that T has seen is not entered twice, whatever
//     the network doubles.
//
//  3. T returns the result and repeats it until O acknowledges it. O settles the first and
//     acknowledges every one.
//
//  4. When O has heard nothing about its loans from T for a [Lease], it sends a [Probe]: all
//     numbers that T should have. T answers which of them it has not got, and promises by that
//     never to accept them: a job that arrives after T denied it is dropped. So O may put a
//     denied job back at once.
//
//  5. What T holds of O's and the probe does not name, nobody waits for: T withdraws it. A number
//     at or above the probe's Before was lent after the probe was written, and is left alone. So a
//     lost withdrawal ends too; for that O goes on probing, with an empty list if need be, until T
//     has answered once after the withdrawal.
//
//  6. A probe that nobody answers for [ProbeMax] ends the loans whatever membership says: all jobs
//     go back, and T gets no more until it answers a probe.
//
//  7. T may deny a loan that it has, when it leaves: it says Missing unasked, and O puts the job
//     back. When that is lost, the next probe, or T's end, says the same.
//
//  8. A peer that was held dead for a while ends its loans with those that held it dead
//     ([Ledger.Forsaken]), maybe later than they did, and goes on with the others under another
//     incarnation ([Ledger.LivesOn]). To the other side this is like messages that were lost.
//
// Why nothing is lost: a loan ends at O only by a result, by T's denial, by T's death or O's, if
// only believed, by step 6, or because O does not want it. In each case but the first and last the
// job is back on a deque. Why nothing is computed for ever for nobody: whatever T holds is named by
// O's probes or withdrawn; if O is dead, membership says so. Where the network is at its worst a
// job is computed twice. Both values are that of its key; the ledger takes one.
//
// # Costs
//
// A loan costs two map entries at its owner and one at its thief. An owner's numbers that a thief
// remembers are 128 bytes. All waiting is by deadlines, found by looking through the peers with
// which there are loans.
//
// # Limitations
//
// A job that is put back because its thief was silent, not dead, is computed again; the silent
// peer's result, if it comes at last, is acknowledged and dropped.
//
// What is lent of a thin tree is hundreds of jobs at a time, and when their thief dies all that
// have not ended go back. Most of these have not begun; but thieves have more of the large ones
// than when they were idle half of the time. In the simulator a lost site of four, of two such, had
// 8.5 s of a worker done again, of 117, where it had been 4.1.
package steal
