// Package orphan knows which finished results of lost work exist, and who holds them.
//
// A [Table] is what a peer knows of the results that all peers hold: for each key of a run, its
// holders. It holds keys and holders, never results. [Results] are this peer's own: orphans'
// results, which it advertises, and what it keeps for others in case they die. The messages
// [Advert], [Versions], [WantList] and [List] keep the tables of the grid alike; [WantResult] and
// [ResultIs] fetch a result.
//
// The machines do no I/O, start no goroutine, read no clock and draw from no global random source.
//
// # How tables become alike
//
// Each peer has one list, of the results that it holds and advertises, under its present
// incarnation. Only it changes that list, and each change has a number, from 1, without gaps. On
// peer 5 of N, all running the same code:
//
//  1. 5 enters a result. The change waits [AdvertAfter] for others, then all go out as one
//     Advert, or as several of at most [ChangesMax] changes: those numbered After+1 and so on.
//     Nothing is sent twice.
//  2. 7 applies an Advert of 5 that continues what it has of 5's list. Older changes are skipped.
//     When some are missing between, 7 asks 5 for the List.
//  3. A List is the whole list of one holder, up to its version. Anybody may give it; it is taken
//     when it is newer than what is there.
//  4. Digests compare the versions of all lists as one number. Where it differs, one sends its
//     Versions, and the other gives the lists that are newer at its side and asks for the others.
//  5. When an incarnation of 5 is over, everybody drops its list. A rejoined 5 advertises all
//     again, from number 1 under its new incarnation. A list of an incarnation that is not present
//     is never taken, so nothing revives a stale entry.
//  6. When a run ends, everybody drops that run's entries, without a message.
//
// # Costs
//
// An entry takes some 100 bytes at each peer, and about 45 on the wire, once. A look-up is two map
// reads. To drop a holder costs its entries.
//
// # Limitations
//
// What is above a limit is not kept, the cheapest first; its work is done again. A result that only
// one peer holds dies with it.
package orphan
