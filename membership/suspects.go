package membership

import "slices"

// suspects are those of the seats that are suspected, in the order of ids. A seat's suspicion may
// end without a word here, so who is looked for is looked at.
type suspects struct{ all []*seat }

// add notes one that is suspected now.
func (s *suspects) add(t *seat) {
	at, is := slices.BinarySearchFunc(s.all, t, byID)
	if !is {
		s.all = slices.Insert(s.all, at, t)
	} else {
		s.all[at] = t
	}
}

// now are those that are suspected still. The slice is read before the next call.
func (s *suspects) now() []*seat {
	if len(s.all) > 0 {
		s.all = slices.DeleteFunc(s.all, func(t *seat) bool { return !t.suspected })
	}
	return s.all
}
