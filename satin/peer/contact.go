package peer

import (
	"slices"

	"satingrid/membership"
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
	return c.Submitter.Sound() && len(c.Addrs) > 0 && len(c.Addrs) <= membership.AddrsMax &&
		len(membership.AddrsOf(c.Addrs)) == len(c.Addrs)
}

// contact is what a submission says of where its submitter is.
func (m *Submit) contact() Contact { return Contact{m.Submission.Submitter, m.Addrs} }

// contactIs notes what a submitter says of itself.
func (w *waiters) contactIs(c Contact) {
	if !c.sound() {
		return
	}
	if len(w.contacts) == SubmissionsMax {
		w.contacts = slices.DeleteFunc(w.contacts, func(o Contact) bool {
			return !w.waits(o.Submitter)
		})
	}
	at := slices.IndexFunc(w.contacts, func(o Contact) bool { return o.Submitter == c.Submitter })
	switch {
	case at >= 0:
		w.contacts[at] = c
	case len(w.contacts) < SubmissionsMax:
		w.contacts = append(w.contacts, c)
	}
}

// contactsAre takes what another knows of a run's submitters. The master hears from them.
func (w *waiters) contactsAre(all []Contact, byMaster bool) {
	for _, c := range all[:min(len(all), SubmissionsMax)] {
		known := slices.ContainsFunc(w.contacts, func(o Contact) bool { return o.Submitter == c.Submitter })
		if !known || byMaster {
			w.contactIs(c)
		}
	}
}

// contact is where one of those who wait for runs may be dialled.
func (s *runs) contact(id membership.PeerID) (addrs []string, ok bool) {
	for _, r := range s.all {
		for _, c := range r.contacts {
			if c.Submitter == id {
				return c.Addrs, true
			}
		}
	}
	return nil, false
}
