package driver

import "satingrid/membership"

// leavers are members of which it was seen that they leave, or how.
type leavers struct {
	client bool                       // this host is one
	parted map[membership.PeerID]bool // their latest session ended with a goodbye
	late   map[membership.PeerID]bool // they are about to leave, and not in order
}

func newLeavers(client bool) leavers {
	return leavers{
		client: client,
		parted: map[membership.PeerID]bool{}, late: map[membership.PeerID]bool{},
	}
}

// up hears that a session with a host stands.
func (v *leavers) up(id membership.PeerID) { delete(v.parted, id) }

// saidGoodbye hears that a member's session has ended with a goodbye, which a process that is
// killed does not say.
func (v *leavers) saidGoodbye(id membership.PeerID) { v.parted[id] = true }

// isLate hears that a member leaves before it has handed over everything.
func (v *leavers) isLate(id membership.PeerID) { v.late[id] = true }

// lost says how a member was lost, and whether it has left late.
func (v *leavers) lost(m membership.Member) (how membership.How, late bool) {
	how = howOf(m, v.parted[m.ID], v.client)
	late = how == membership.Went && v.late[m.ID]
	delete(v.parted, m.ID)
	delete(v.late, m.ID)
	return how, late
}

// howOf is how a member was lost. One that was leaving, and whose process said goodbye before it
// was gone, has left; one that parted without a word was killed before it had. To a client all that
// a leaver says comes by gossip, later than its goodbye or never, so there the goodbye is enough.
func howOf(m membership.Member, parted, client bool) membership.How {
	if m.How == membership.Killed && parted && (m.Grace > 0 || client) {
		return membership.Went
	}
	return m.How
}
