// Package driver drives the machine of a peer: it tells that what the carrier brings, and carries
// out what it decides.
//
// A [Driver] is what the control plane of a process, package control, and a host of the simulator,
// package gridsim, have in common. It starts no goroutine, reads no clock, waits for nothing and
// holds no lock: whoever owns it calls it from one goroutine, one event after the other. What it
// has from outside are five interfaces. A [Carrier] moves bytes, a workers.Plane executes jobs, a
// [Folder] and a [Disk] leave something to the next start, and an [Owner] has the time, and is
// told what programs and people are to know.
//
//	          process                 simulator
//	events    goroutine, channels     queue of events
//	Carrier   package p2p             links, sessions and dials that are modelled
//	Plane     fibers                  a data plane that computes by waiting
//	Folder    a disk                  what a host that is started again is given
//	Disk      a disk                  the same, with losses and a disk that fails
//	Owner     people, clock           checkers, virtual time
//
// So what is done here is simulated:
//
//   - which message waits for a dial, and which goes on a stream of its own;
//   - that a host is dialled once at a time;
//   - whether two processes live under one identity, who both are told so;
//   - when submitters and owners are told what is done here, and that the grid has let this one in;
//   - what is written to the folder, and when, and again where it could not be;
//   - when what was submitted here has ended, as what, and that it does so once; what its
//     statistics are is made by package statistics;
//   - that a run fails with a member where fault tolerance is off;
//   - how a member was lost, as people are told: a leave is no crash;
//   - who is master, once he has a name, and who waits for orders to be followed;
//   - how this host came to be in its grid, and why it ends, of which the first reason counts;
//   - what the machine hears of all that.
//
// # Events and effects
//
// Before a message is an event, [RateLimits] say how long its sender is held up that has said too
// much. Whoever reads what a session brings asks them, and then brings nothing of it meanwhile.
//
// Each method that is named for what happened is one event of the machine: [Driver.Up],
// [Driver.Down], [Driver.Dialled], [Driver.Met], [Driver.Received]; that [Driver.Deadline] has come
// is told by [Driver.Tick]. Any other event is told to the machine by the owner, who hands what
// that returns to [Driver.Do]: what programs ask, what workers say. Effects are carried out in
// their order, dials before all others. Carrying one out may be an event itself, whose effects are
// carried out at once, within. When all are, the owner hears so, once: Owner.Done.
//
// # What the carrier does
//
// A message that carries more than BulkAbove bytes goes on a stream of its own, beside all others,
// and is encoded where that is written. While it is on its way it goes no second time, and what is
// on its way is bounded. Any other is encoded at once. When its receiver has no session and is
// being dialled, it waits for that, as long as there is room (unsentMax). It goes when the session
// stands and the machine has been told so, which greets whoever is at its other end. When the dial
// fails it is lost, as messages may be.
//
// # Limitations
//
// In which words people and programs are told is up to package control. What the carrier allows one
// host in a second, whatever it says, is up to that, and is not simulated.
package driver
