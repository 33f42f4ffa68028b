// Package p2p is the carrier of a grid: it moves bytes between peers over
// libp2p and lets nobody in who does not hold the grid's secret.
//
// A [Host] is one peer's or client's end of the network. [Open] starts it,
// [Host.Dial] reaches others, [Host.Send] sends small frames in order,
// [Host.SendBulk] sends large values checked by digest, [Host.Publish] gossips.
// What arrives is told through [Events], which the caller gives to Open.
// [Carrier] is the narrow interface that the rest of the project uses; only
// standard types cross it, and an in-memory carrier can stand in for a Host.
// Package p2p/wan emulates distance between hosts of one machine, and package
// satin/ticket has the grid's secret and the file that carries it.
//
// # What happens, on peer 5 of N
//
//  1. A TCP connection comes up and is encrypted and authenticated by TLS 1.3
//     under the protocol id /satin/tls/1. Both ends now know each other's peer
//     id for certain, and nothing else.
//  2. The handshake. The one that dialled sends a greeting (wire version, grid's
//     name, nonce); the other checks it and greets back. The dialler proves the
//     secret with an HMAC over both peer ids, both nonces, both greetings and
//     its hello. The other checks, asks the caller whether the hello fits, and
//     proves the secret in turn. Whoever refuses says why before it hangs up,
//     and the other's Dial returns that as a [*DeniedError]. Only now are the
//     stream multiplexer started and the connection shown to libp2p: for a host
//     that fails here no stream is ever accepted, so no other protocol's bytes
//     are decoded. Identify, ping, AutoNAT and mDNS do not run.
//  3. The session: of each pair the host with the smaller id opens the one
//     control stream, on whichever connection came up first. The other, when it
//     has a connection and no session, asks for one. So two hosts that dial
//     each other at the same moment agree without a tie to break, and a host
//     that lost a connection the other still believes in gets a new session by
//     asking. PeerUp is called on both sides, then pubsub learns of the peer.
//  4. Frames flow; each large value has a stream of its own beside them.
//  5. The session ends: PeerDown says how. The kernel of a killed process
//     resets its connections, so that comes within milliseconds; whoever is told
//     dials once more, and [ErrNobody] then means that the process is gone. A
//     host that fell silent is found out by the multiplexer after 7 s at the
//     latest; heartbeats, which are not this package's matter, are faster.
//
// # Visits
//
// Hosts of two builds have no session, but may talk: [Visit] asks one question of a host, and
// [Config].Visit answers it. It is a security protocol of its own, /satin/visit/1, with the same
// TLS and the same proof of the secret, in which another greeting stands, so that no proof serves
// for both; then comes one question, and one answer. libp2p never sees such a connection. No build
// may change any of this, nor the proof itself: a grid is told of its successor that way.
//
// # Hosts that cannot be dialled
//
// A host behind a NAT dials out, and nobody dials it. So each host asks every
// peer that it dialled to dial it back ([Config].Relay says otherwise). Where
// one cannot, the host takes a reservation at two others that can be dialled as far
// as they know, and announces its address there, which has /p2p-circuit in it,
// after its own. A relay tells all its peers who has a reservation at it, whenever
// that changes, so they find the way without asking; whoever is not connected
// to that relay needs the address. Dial tries a peer's own addresses first
// and relays half a second later, or as soon as those have failed; a host that
// is in reach itself always leaves that time to the other, which may be dialling
// it. If a relay was quicker, the one that can dial the other does so and moves
// the session, which ends as [Reset] and comes up again.
//
// A relayed connection (libp2p's circuit relay v2) goes through the handshake
// twice. The relay gives reservations and connections to nobody whose own connection
// has not been through it. And the two ends put theirs, with TLS, the proof
// and the lists, around what the relay passes on: it can drop bytes, and
// neither read them nor take the place of an end.
//
// When a relay dies, the sessions through it end as [Reset] at both ends and
// dialling once more leads through the other relay. While no relay leads to a
// peer behind a NAT, Dial never says [ErrNobody] of it, because its addresses
// may be other machines' here: it is out of reach, not gone. That does not hold
// for its neighbours behind the same NAT, who met it at its own address. Whoever
// is seen at an address that it does not say it has counts as behind a NAT.
//
// # Costs
//
// A request and reply of 100 bytes costs about twice what plain TCP costs, as
// `satin bench` measures it. A connection costs one proof (two more round trips than TLS) when
// it is made. An idle connection sends 18 bytes every 2 seconds.
//
// # Limitations
//
// A member can flood: each peer is held to its limits, see limits.go, but
// members share them. A member that is let in is believed to be what it says.
// Secrets cannot be changed while a host runs. Without an allow-list a barred
// peer that makes itself a new identity comes back if it holds the secret.
// Only TCP is carried: QUIC notices a killed process after 30 s and more.
// That a peer behind a NAT is gone shows as silence to whoever reached it through
// a relay: a broken relayed connection may be the relay's doing. A relay copies
// what members send without a limit of its own; it slows down when they flood.
// A forwarded port is not guessed, and the host behind it is reached through
// others.
// Certificates are valid from an hour before their host's start, by its clock:
// a host whose clock is more than an hour behind another's cannot connect with
// it. It is told to set the clock when it dials; the other, dialling, may hear no
// more than that it was hung up on.
package p2p
