// Package addresses is a host's address book: where the hosts of its grid were ever reached, whom
// to dial, and when again.
//
// A grid is whoever has its secret, so what makes two sides of it one is that somebody of one
// side dials somebody of the other. A [Book] has an entry for each member, past member and
// client that this host had a session with or heard of, and for whoever its state folder and
// tickets name ([Known]). Entries stay when a member leaves or dies: the way back may lead
// through any of them. Like the other machines it does no I/O, reads no clock and draws nothing;
// what it wants dialled it returns as [membership.Dial]. Of one host at most two are under way
// together, and what is so has exactly one outcome: [Book.Up] or [Book.Failed].
//
// # Whom to dial
//
//  1. Whoever has to be told something and has no session is dialled, [Book.Want]: the
//     present, the held dead, the submitter of a run. What is said meanwhile waits in the
//     carrier. A dial that is not answered for a quarter of a second has one more beside it, at
//     what else is known or said of where that host is: it may have come back elsewhere, while a
//     dead machine at the old address lets the first wait for seconds. After a failure nobody is
//     dialled for that before a moment that doubles, and what would be said is not sent at all.
//  2. A new member is dialled at once while there are fewer sessions than [SessionsMany]: in a
//     small grid everybody has a session with everybody.
//  3. The lost are looked for, for ever: hosts of the book without a session that the view does not
//     have, and all of them while there is no session with a member: clients that have lost all
//     others meet each other, and one more client may be all that the members know. Clients are
//     only looked for then, or where another says that they call, [Book.Called]: who cannot be
//     dialled must dial them. A client looks only then. Each host is dialled at intervals that grow
//     with the time since it was reached. But it is not hosts that are lost, it is groups, and each
//     of them gets a dial within [GroupEvery], of whomever is due first. Of each site those that
//     are silent, those where nobody listens, and those that were not dialled yet are groups. So
//     are, of each of these, who was lost together: those that were reached last within some
//     seconds. A cut takes many at once, machines die one by one: whoever was lost alone is of one
//     group with all others that were, but for the last. So a group that comes back is found
//     however many have died at that site, and whether or not they answer. Of those that were not
//     dialled yet whoever was last said to be there comes first, [Book.Called]. At most one such
//     dial starts every [LookEvery], after a burst of [LookBurst]: up to 20 groups keep their 5 s,
//     and what comes beyond takes turns. Of more than [LostMany] who are lost a round takes no
//     longer than of so many, so that dials start as much more often.
//  4. A refusal at the handshake is an answer: that host is asked again after [DeniedFor]. One
//     that is barred is not dialled.
//  5. Where another host answers than the one that was dialled, [Book.Met], that one is dialled:
//     it may be of this grid, since two that restart may swap ports. This host's own addresses are
//     not dialled under any name. Those that it had in an earlier life are, as if the hosts that
//     are lost were there.
//
// # Which sessions are kept
//
// All of them: a grid has at most [membership.MembersMax] members, an idle session costs a
// heartbeat now and then, and whoever has one hears of a death at once. So the book closes none.
// One ends with its other end, after silence, or when what comes through it is no message; then
// rule 1 or 3 leads to the next.
//
// # What is believed
//
// What a host says of itself through its session, which proves who it is, takes the place of what
// it said before. An address at which it was reached is kept beside that. What others say of it
// is used while it has not spoken, and when all that has failed: it may have moved, and met
// others since. It is tried beside its own word then, never in its place, and not passed on.
// Whoever makes hosts up fills the room of the book for those never reached, [HeardMax], and
// no more; these are the first to go when there is no room, and the dials that they cost are
// within the bound above. What a ticket names is no hearsay: it has as much room again, in a full
// book the place of others. So has whoever was found at an address.
//
// # Costs
//
// At most [EntriesMax] entries of at most 16 addresses: some 100 kB, 1 MB when every address is as
// long as it may be. Only where nearly as many have a session there are more, since each of these
// keeps its entry and there is room for 64 beside them. When the book is full the one that was
// reached the longest ago goes; the last [SiteMin] that were reached of a site stay as long as
// there are others. Of a state folder that has more, the same are taken. After a change those that
// are lost or being dialled are gone through, to see who is due, and nobody else (rows.go).
//
// # Limitations
//
// Two that know only addresses that both have left do not find each other; a third that knows one
// of them joins them. Of n that were lost together, all of whom are tried, any two that come back
// find each other after n/5 s at the worst, or [RoundMax]. Two behind NATs need one that both
// reach. Which hosts belong to one group is a guess: one that was lost alone, and after which
// others were, may wait for ten minutes when hundreds have died there, unless it looks for the
// others itself.
package addresses
