// Package observe tells what a whole grid does, for whoever has a ticket to it and is no member.
//
// Hosts remember nothing of who asks, and nothing is sent or counted while nobody does. Whoever
// asks a member of a site what is done there ([across.AskDoing]) has it visit the others of that
// site: a [Census]. What it was told is good for half a second, so that many who ask cost one round
// of visits. An [Observer] asks one host of each site, the same one as any other observer would, so
// that a grid of a thousand peers costs no host more than its own site does. It is a [Sample]; what
// lies between two is a [View]: rates and shares, by sites, peers and runs, with what is wrong put
// in words.
//
//	              AskPeers, AskJobs        AskDoing, alone
//	observer ------------------------> a/1 ---------------> a/2, a/3 …
//	    |     AskDoing                  AskDoing, alone
//	    +----------------------------> b/1 ---------------> b/2, b/3 …
//
// # Costs
//
// While somebody observes, the host of a site that is asked makes a visit to each of the others
// there at most twice a second, which is a handshake for both: at a site of hundreds of peers that
// is a good part of a core for it.
//
// # Limitations
//
// Visits go to hosts' own addresses and not through relays. So a peer behind a NAT is told of as
// one that does not answer, unless it is on the same network as the one that asks.
package observe
