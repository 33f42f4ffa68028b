package peer

import (
	"time"

	"satingrid/membership"
)

// unknownMax is for how long members have to say that they do not know a run before it is
// forgotten: a record is everywhere within seconds, and who has gone on alone is found.
const unknownMax = time.Minute

// lacked is since when one hears that a run is not known: of its master, or when that one is gone
// of who would succeed it; as a client, of anybody then.
type lacked struct {
	by membership.PeerID
	at time.Duration // 0: it is known
}

// anyMember is any, by whose word a run is lacked.
const anyMember = membership.PeerID("")

// hears hears from a member that does not know the run, and tells whether the one whose word counts
// has not known it for too long.
func (x *lacked) hears(now time.Duration, from, counts membership.PeerID) (tooLong bool) {
	switch {
	case counts != anyMember && counts != from:
		if x.by != counts {
			*x = lacked{}
		}
		return false
	case x.by != counts || x.at == 0 || now-x.at > UnheardMax:
		// a word of long ago is not repeated by this one
		*x = lacked{counts, now}
		return false
	}
	return now-x.at > unknownMax
}
