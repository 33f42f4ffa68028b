// Package gridsim runs many [peer.Peer]s, the very machines that ship, in virtual time.
//
// A [World] holds hosts, links and a queue of events. Its own model is only
//
//   - of links: delay, jitter, rate, loss, doubling; what passes them has been made into bytes and
//     read again by the codec that ships, once for equal bytes;
//   - of clocks, and of what jobs cost;
//   - of how long the loop that owns a peer needs: what comes meanwhile waits.
//
// Each host has the driver that ships, and a data plane that keeps the contract in package peer,
// but computes by waiting. [Draw] makes [Options] from a seed, [Run] plays them and returns a
// [Report]. A [Workload] is a tree of jobs whose answer is known from computing it alone.
//
// Hosts have addresses, which others take when they are gone, and sessions, through which alone a
// message goes. A dial costs a round trip, or three seconds where nothing answers; it fails where
// nobody listens or another host does; some hosts cannot be dialled but through one that has a
// session with them. A session ends with a process, and seven seconds after nothing passes through
// it any more. A host refuses whom it has barred, and tells it so. What is published reaches those
// whom sessions join by way of members, also those whom a cut or a dead link parts from who says
// it; clients pass nothing on. Nobody is told of a host but by a ticket, its own state folder, and
// what others say.
//
// One seed decides everything, and the same seed gives the same [Report.Hash], which covers every
// event and every message. That is how one knows that the machines are pure: a clock, a map order
// or a global random number in any of them would show.
//
// # Checkers
//
// Each failure names its checker:
//
//   - session: nothing is said to a host with which there is no session, and which
//     is not being dialled
//   - apart: within ten seconds of when all can reach each other, all members know each other
//   - store: a result that is written to a disk, or read there, is the job's value; it is written
//     under the best that is held, with that or after it; and a best in the place of none better,
//     nor a record in that of another run that is on
//   - answer: what is delivered is what one core finds alone
//   - once: each submission is answered once, and none that was cancelled; it is handed on once,
//     when its answer has come and was read, and soon; an order is followed once, and a host ends
//     once
//   - way in: whoever comes is in, or has ended, within thirty seconds in which it was not stopped
//   - twin: of two processes with one identity each is told so, within ten seconds of when all can
//     reach each other, unless one has died by then, and who has met both; and nobody else is
//   - leaver: who is said to have left was not killed, and has left as late as is said
//   - one state: each unfinished job whose owner lives is in exactly one of deque, running, lent;
//     the ledger and the data plane agree
//   - best: a peer's best only improves, and its witness has the value that it claims
//   - kept: a run that is to be kept, and of which the grid says that it has it, two peers hold
//     where there are two, or it is on the disk of who says so, and who comes for its answer gets
//     it, unless it was cancelled, or all are gone that held it; who leaves in time has an heir
//     that holds it; and of those that have ended, as of who is barred, whoever knows it has it in
//     its folder when it leaves in order, and half a minute after all faults
//   - will: who leaves in time has handed all that it kept to its heir, and all answers, and that
//     one was there; where it has left, too, its own heir has them
//   - statistics: a submitter is told of no more than was done, until its answer is handed on, and
//     that waits no longer than it may. With the answer it knows of no more jobs and time than its
//     run had, of no more that was put back, and losses have cost no more than was done again; of a
//     run that was on before, than was done
//   - epoch: a run's epochs only grow
//   - turns: of each run that something waits of on a peer something is begun within a second,
//     beside the longest jobs of the others
//   - entry: a result that is kept for others is the job's value, and an orphan's is kept until the
//     run ends. What a [Search] prunes, and what a fickle job draws, has no one value: of these
//     only the second half is seen
//   - redone: in a schedule that says so, no more work is done twice than it allows
//   - machine: no machine finds its own invariants broken
//   - lives: a peer that is alone, and that a root ends again and again, waits with it longer and
//     longer
//   - end: the run ends in bounded virtual time after its faults have stopped
//   - false death: nobody is held dead who lives and can be reached, however much there is to
//     compute, encode and decode
//   - codec: what a machine sends, every other one can read
//   - fact: what a job hears follows from the root
//   - siege: when one that has said well-formed nonsense is gone ([Siege]), the grid sees all its
//     members, lets in, runs and bars as before
//   - limits: whoever says no more than machines do is never held up; and of one host no more news
//     is heard in some seconds than it may say, however much it does say
//   - growth: in hours of churn ([Day]) no table of any peer grows, nor of its driver
//   - empty: then nothing is left of it in any ledger, record or data plane, nor its record on
//     the disk of a host that lives
//
// # Schedules
//
// [Draw] draws everything from the seed:
//
//   - 2 to 64 peers, the median 8, in 1 to 6 sites;
//   - a generated tree, with equal jobs, errors, a panic, facts or jobs that break their contract
//     ([Tree]), a branch and bound with ties ([Search]), one that aborts ([Hunt]) or a tree of UTS;
//   - links that lose, double, reorder and delay;
//   - two to a dozen faults, of each [FaultKind], some while the last one is being repaired;
//   - disks: what is written is there a little later; what was on its way when its host died is
//     there whole or not at all; one in eight fails, one in eight mistakes another run's for the
//     one that is asked for, and one in four now and then has no room, lets results go, or the best
//     with all that names one, or cannot be read; one in four says that is written what is not safe
//     for some seconds, and when its machine dies files end before what was said last; one host in
//     sixteen has none, and of one in eight the folder cannot be written now and then;
//   - for every tenth seed a loss of all peers at once, of which all start again, half, one, or
//     one with the folder of another;
//   - for every fourth seed peers that cannot be dialled, and peers that come to be elsewhere
//     ([DrawRoaming]);
//   - for one in eight a peer whose folder is copied, and started a second time while it lives;
//   - for one in sixteen two runs that are to be kept, and cancelled when members leave;
//   - for one in eight somebody who comes by an old ticket, most of whose hosts are gone, or all.
//
// Then the faults stop, and the end is demanded in a time that the workers who are left and the
// longest path of the workload decide.
//
// The campaign plays as many as it is told, and is red when a checker finds something, or when they
// did too little. What has to happen, at least:
//
//   - each kind of fault once for every twenty schedules, several times in one included; it counts
//     when it has had an effect: a cut when it has stopped a message, the crash of an heir when one
//     died;
//   - in a twentieth links lose messages, in as many they double them, in as many they bring them
//     late, and in as many sessions have no room for one;
//   - a twentieth lose all peers at once, and half of these use what had been stored;
//   - a third lose a master, a tenth see two, a fifth use an orphan or a copy;
//   - one in three hundred puts a job back because its thief did not answer its owner;
//   - in a twentieth a job panics;
//   - in one of three hundred Verify finds jobs that break their contract.
//
// At most one in a hundred may fail because crashes looked like a job that kills its process.
//
//	go test ./gridsim -run TestCampaign -v -campaign 20000
//	go test ./gridsim -run TestReplay -v -args -seed 4711 -trace
//
// # What people ask
//
// [Rehearse] plays what people ask of their grid, and is what gridsim/scenario is built on: a run
// on a [Net], up to its answer, while somebody makes things happen. The campaign knows nothing of
// it, and its links know nothing of each other.
//
// On a Net, those share bandwidth who use it at a time: a host's line, a site's uplink, what lies
// between two sites. What one host says to another goes one after another, and long messages beside
// that. Each of these streams has what max-min fairness gives it: rates are found anew whenever
// one begins or ends, for those that share something with it, and the one that is through first is
// an event. The alternative is a queue at each link that serves whoever came first. It would be
// simpler, and an event would cost less; but then a copy of megabytes holds up the heartbeats of
// its whole site for seconds, where TCP holds up nothing for longer than a packet takes, and the
// machines would hold the living dead. A copy that is fed to such a queue in small pieces shares as
// streams do, and costs events for each piece and link, where a stream costs one.
//
// What it costs: a message two events in place of one, and beginning a stream goes through all that
// share something with it, directly or not.
//
// [Directed] draws schedules for what no wrong answer betrays, with a bound for work that is done
// twice. The defects that package plants puts into the machines are found by either. [Explore]
// visits every order of deliveries, a loss and a crash, from a moment of a small run on, within
// some steps. [Deadly] is a job that kills its process.
//
// # Costs
//
// An event takes about two microseconds; a schedule of the campaign some 33,000 events, 70
// milliseconds of a core, half of which one in twenty takes.
//
// # Limitations
//
// What the loop of a host does takes a few microseconds an event and a message, whatever the event
// is. Ticks are no events of the data plane: whether one has found a job unfinished follows from
// when it started. An orphan that waits is told when nothing computes below it any more, so a stack
// is always told from its top. While nothing is cut, what is published comes to each as if from who
// says it, whoever has passed it on: those may be stopped, and take no time. Messages are lost one
// by one, where streams lose all that follows until they are begun anew. What a cut stops is
// lost, where a stream brings it later.
//
// What satin/p2p decides by itself is imitated, not run: of two connections between two hosts the
// one that was made first stays, and who cannot be dialled is reached through any member that has a
// session with it. There, the host with the smaller id opens the session whoever has dialled, and
// a host behind a NAT reserves places at relays, which may refuse. The tests of satin/p2p play
// that.
package gridsim
