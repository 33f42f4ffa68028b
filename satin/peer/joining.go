package peer

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// Times and bounds of joining. A Snapshot from across the world takes some 300 ms.
const (
	pullEvery   = 500 * time.Millisecond
	contactsMax = 16
	// each answer is all that one knows: of those to which a connection comes to stand so many
	// are asked at once
	promptMax = 4
	// a client that was let in by another, before there is any peer, is in all the same
	lonelyMin = 2 * time.Second
	// who has entered gives up when those that have no room for it are all that it hears of for
	// so long: ten rounds of comparing
	seatlessMax = 10 * time.Second
)

// joining is what a peer knows on its way in; a client stays on it until its first Snapshot.
type joining struct {
	outbox
	self    membership.PeerID
	client  bool
	past    bool // it was part of the grid, and goes on as it when nobody answers
	told    bool // it was told where the grid is
	knows   int  // so many hosts, when it starts
	members otherMembers

	started  bool // it was told to found or to join
	active   bool
	contacts []membership.PeerID // those that a connection stands to
	prompt   int                 // that were asked at once
	turn     int                 // contacts that were asked
	voice    membership.PeerID   // the latest that was heard, and has not been asked since
	heard    time.Duration       // when it was
	answered bool                // such a one was asked last
	again    time.Duration
	done     time.Duration // when it was let in
	seatless time.Duration // it is in, and since then nobody has a seat for it; 0: somebody may
	began    time.Duration // when it was told to join
	met      time.Duration // when it had its first contact; 0: not yet
	stranded bool          // it has given up
	hearsay  hearsay
}

// otherMembers are those who are known beside this peer; it is a [membership.View].
type otherMembers interface {
	OldestOther() (membership.Member, bool)
	Draw() (membership.Member, bool)
}

// entersAlone asks the peer to go on with what it has and what a client holds. Asked tells that all
// whom a client had named were asked for long enough: what it said is all that there is.
type entersAlone struct{ asked bool }

func (j *joining) pull(to membership.PeerID) { j.send(life{peer: to}, Pull{}) }

// begin is what it does when it is told to join.
func (j *joining) begin(now time.Duration) []membership.Effect {
	j.started, j.active, j.began, j.again = true, true, now, now
	return j.tick(now)
}

// founds hears that this peer is the first of a grid, and seeks none.
func (j *joining) founds() { j.started = true }

// isOver hears that this peer is a member.
func (j *joining) isOver() { j.active = false }

// letIn hears that it is in.
func (j *joining) letIn(now time.Duration) { j.active, j.done = false, now }

// noSeat hears that there are as many members as there may be.
func (j *joining) noSeat() { j.active, j.stranded = false, true }

// hasNoSeat tells, by what a member knows, whether there are as many members as there may be, and
// this peer is none of them: nobody would give it anything, and it would wait for ever.
func (j *joining) hasNoSeat(members []membership.Member) bool {
	present, at := census(members, j.self)
	if at >= 0 && members[at].State.Present() {
		return false
	}
	return !j.client && present >= membership.MembersMax
}

// losesSeat tells the same of one that is in. It may have come in the same moment as others, or
// gone on alone, and the grid was filled meanwhile. The word of an older one holds that has no room
// left; who came later itself may be the one too many, as may be who is cut off from some: these
// are believed when nobody else is heard of.
func (j *joining) losesSeat(now time.Duration, self, by *membership.Member, members []membership.Member) bool {
	switch present, at := census(members, j.self); {
	case at >= 0:
		j.seatless = 0
		return false
	case present <= membership.MembersMax: // of whom one is that tells it
		return false
	case by.OlderThan(self):
		return true
	case j.seatless == 0:
		j.seatless = max(now, 1)
	}
	return now-j.seatless >= seatlessMax
}

// census counts the members that are present, and tells where one stands among all; -1: nowhere.
func census(members []membership.Member, id membership.PeerID) (present, at int) {
	at = -1
	for n := range members {
		if members[n].State.Present() {
			present++
		}
		if members[n].ID == id {
			at = n
		}
	}
	return present, at
}

// seeks tells whether it is still on its way in, or is a client that knows no member any more.
func (j *joining) seeks(now time.Duration) bool {
	return j.active || j.isLonely() && now >= j.done+lonelyMin
}

// isLonely tells whether this is a client that knows no member.
func (j *joining) isLonely() bool {
	if !j.client {
		return false
	}
	_, some := j.members.OldestOther()
	return !some
}

// contact notes one to join through.
func (j *joining) contact(now time.Duration, id membership.PeerID) []membership.Effect {
	if !j.active && j.isLonely() {
		j.pull(id)
	}
	if slices.Contains(j.contacts, id) {
		return j.flush()
	}
	if len(j.contacts) == contactsMax {
		// Those that it met first it was told of. Of those that came to it many may be on
		// their way in themselves.
		j.contacts = slices.Delete(j.contacts, promptMax, promptMax+1)
	}
	j.contacts = append(j.contacts, id)
	if j.met == 0 {
		j.met = max(now, 1)
	}
	if j.active && j.prompt < promptMax {
		j.prompt++
		j.turn++
		j.asks(now, id)
	}
	return j.flush()
}

// hears hears that a member said something on the way in, whatever it was.
func (j *joining) hears(now time.Duration, id membership.PeerID) {
	if j.active {
		j.voice, j.heard = id, now
	}
}

// asks asks one for everything, unless it is among those that a client has named.
func (j *joining) asks(now time.Duration, id membership.PeerID) {
	if _, asked := j.hearsay.addrs(id); !asked {
		j.pull(id)
	}
	j.again = now + pullEvery
	if j.hearsay.heard {
		j.again = min(j.again, j.hearsay.alone)
	}
}

// tick asks the next contact for everything.
func (j *joining) tick(now time.Duration) []membership.Effect {
	if now >= j.deadline() {
		j.ask(now)
	}
	return j.flush()
}

func (j *joining) ask(now time.Duration) {
	if j.askHearsay(now) || len(j.contacts) == 0 {
		return
	}
	// Where a cut goes through the grid those may be all beyond it to whom a connection came to
	// stand. Who was heard is not.
	if j.answered = j.voice != "" && !j.answered; j.answered {
		j.asks(now, j.voice)
		j.voice = ""
		return
	}
	turn := j.turn
	m, some := j.members.Draw()
	// Contacts may be gone. By their greetings others are known: every other turn is one's.
	others := some && turn >= len(j.contacts)
	if others {
		turn /= 2
	}
	to := j.contacts[turn%len(j.contacts)]
	if others && j.turn%2 == 0 {
		to = m.ID
	}
	j.turn++
	j.asks(now, to)
}

func (j *joining) deadline() time.Duration {
	if !j.active || len(j.contacts) == 0 && !j.hearsay.heard {
		return steal.Never
	}
	return j.again
}
