// Package membership knows who is in the grid: which peers, in which sites, and whether each is
// here, suspected, leaving, left or dead.
//
// A [View] is one peer's knowledge of the others, and the machine that keeps it. A [Member] is what
// is known of one peer. An [Incarnation] tells one life of a peer from the next: a process that
// starts again, or that was declared dead and comes back, takes a greater one. The new life is the
// death of the old one, unless the same process goes on in it, and for whoever did not hold it
// dead. An [Epoch] numbers a run's masters. A [Bar] keeps a kicked peer out.
//
// A view is composed of components, each with fields of its own, told events and tested alone: a
// peer's own record and lives (own.go), the seats of the others (seats.go), the failure detector
// (watch.go), who is kept out (bars.go), what is believed of counters (beliefs.go), and pings for
// others (errands.go). What concerns several of them is the view's: above all, what a record of a
// member changes (lives.go).
//
// The machine does no I/O, starts no goroutine, reads no clock and draws from no global random
// source. Time is an argument, the next moment at which it wants to be called is [View.Deadline],
// and what it wants done is returned as small values: [Send], [Publish], [Dial]; what it found out
// as [Joined], [Lost], [LivesOn], [Rejoined], [Forsaken].
//
// # How a death is noticed
//
// On peer 5 of N, all running the same code:
//
//  1. Up to [AllPairsMax] peers everybody watches everybody. Beyond, the peers stand in a ring in
//     the order of a hash of their ids, and 5 watches the two before it, the two behind it and the
//     two a third of the ring away. The relation is symmetric and follows from the view, so nobody
//     asks to be watched, and the cost of a peer does not grow with the grid.
//  2. 5 sends each peer it watches something at least every [HeartbeatEvery]. Any message counts.
//  3. When 5 has not heard 7 for the time its detector allows, which follows the gaps it
//     has seen but is never under [SilenceMin], it suspects 7: it pings 7 itself and asks
//     two others to ping it.
//  4. Anything that is heard from 7, and any other's word that 7 answered, ends the suspicion.
//  5. Otherwise 7 is dead after [ProbeNear] or [ProbeFar], and 5 publishes it. Dead is final for
//     that incarnation, so every peer that hears of it agrees, and 7 itself, if it lives, rejoins.
//     Whoever has just heard 7 gives it two seconds for that: when a cut heals, all of one side are
//     dead to the other, and to each other they live on.
//  6. A broken connection is faster: 5 dials 7 once more. Refused means dead. No
//     answer means step 3.
//  7. When 5's own ticks come late it has slept, not the others: it forgives everybody's
//     silence. When it suspects everybody it suspects itself first, and waits once more
//     before it believes it.
//  8. One that is leaving is watched like the others, and is their successor's last choice. The
//     heir that it names is in its record.
//
// What is published may be lost, so views are compared by [View.Digest] and
// repaired by [View.Snapshot].
//
// # Nothing lasts for ever
//
// Who is gone is forgotten after [GoneKeptFor]. Records carry for how long they are gone, so that
// nobody teaches anew what others have forgotten. Of the bars the [BarsMax] youngest are kept, by
// one order for all, and those that hold before those that were lifted. Join numbers and the
// counters of bars are believed up to a [Ceiling]; how often a member has come back, up to
// [RaiseMax] above what is known, unless it says so itself: others raise its number once a second,
// and who was away meanwhile must believe it. A view that knows nothing takes what its first
// snapshot says, forgets what others had said that is far above, and starts over when a member's
// that it hears later knows nothing near that; see [View.Adopt]. Who hears that others hold it
// leaving, and is not, takes another life. A client keeps no member, and no bar, of which members
// do not know for a minute.
//
// # Costs
//
// An event costs well under a microsecond. Who is present, the ring, the digest and the oldest are
// kept from one change to the next (roll.go): a change looks a member up in each, and moves those
// behind it in memory. A tick goes through the neighbours and the suspected. Drawing a member draws
// a number for each. A member takes some 400 bytes, and there are at most [MembersMax].
//
// # Limitations
//
// A peer that two others reach and one does not stays a member for all three: what is lost with the
// dead link is ended by leases, not here. Who joins through a member that lies believes its numbers
// until it has heard another. A member that lies can declare others dead; they come back, at the
// price of their loans with whoever believed it. It can bar others, as any member may, and with
// [BarsMax] bars of its own it makes all forget whom they had barred before. When a cut heals, two
// of one side that do not watch each other and have not spoken for a second may lose each other all
// the same.
package membership
