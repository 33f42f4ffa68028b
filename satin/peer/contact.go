package peer

import (
	"slices"

	"satingrid/membership"
	"satingrid/steal"
)

// Contact says where a submitter may be dialled. A client is no member, and whoever joins while a
// run goes on may be the only one that is left before the client has heard of it: then it is the
// client that must be found.
type Contact struct {
	Submitter membership.PeerID
	Addrs     []string
}

// sound tells whether a contact that came from outside may be kept.
func (c *Contact) sound() bool {
	return len(c.Submitter) <= membership.IDBytesMax && len(c.Addrs) > 0 && len(c.Addrs) <= membership.AddrsMax &&
		!slices.ContainsFunc(c.Addrs, func(a string) bool { return len(a) > membership.AddrBytesMax })
}

// contactIs notes what a submitter says of itself.
func (r *run) contactIs(c Contact) {
	if !c.sound() {
		return
	}
	if len(r.contacts) == SubmissionsMax {
		r.contacts = slices.DeleteFunc(r.contacts, func(o Contact) bool {
			return !slices.ContainsFunc(r.submissions, func(s steal.Submission) bool { return s.Submitter == o.Submitter })
		})
	}
	at := slices.IndexFunc(r.contacts, func(o Contact) bool { return o.Submitter == c.Submitter })
	switch {
	case at >= 0:
		r.contacts[at] = c
	case len(r.contacts) < SubmissionsMax:
		r.contacts = append(r.contacts, c)
	}
}

// learnContacts takes what another knows of a run's submitters. The master hears from them.
func (p *Peer) learnContacts(from membership.PeerID, r *run, all []Contact) {
	for _, c := range all[:min(len(all), SubmissionsMax)] {
		known := slices.ContainsFunc(r.contacts, func(o Contact) bool { return o.Submitter == c.Submitter })
		if !known || from == r.master {
			r.contactIs(c)
		}
		p.learnContact(c)
	}
}

// AddrsOf is where a peer or a submitter may be dialled; none where that is not known.
func (p *Peer) AddrsOf(id membership.PeerID) []string {
	if m, ok := p.view.Member(id); ok {
		return m.Addrs
	}
	for _, c := range p.join.hearsay.members {
		if c.Submitter == id {
			return c.Addrs
		}
	}
	for _, r := range p.runs.all {
		for _, c := range r.contacts {
			if c.Submitter == id {
				return c.Addrs
			}
		}
	}
	return p.book.Addrs(id)
}
