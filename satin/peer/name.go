package peer

import (
	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// Name tells a message that may be long and is repeated until it is acknowledged from the
// others that a peer sends to another. What has the same name says the same, but for the
// best that rides on it.
type Name struct {
	kind   uint8
	run    steal.Instance
	number uint64
	key    steal.Key
}

// NameOf names a message, if it is of a kind that has names.
func NameOf(b membership.Body) (Name, bool) {
	var n Name
	switch b := b.(type) {
	case Submit:
		n.run.First = b.Submission
	case Record:
		n.run = b.Head.Run
	case BestIs:
		n.run, n.key = b.Run, b.Best.Digest
	case Answer:
		n.run, n.number = b.Run, uint64(b.Nonce)
	case Keep:
		n.run = b.Run
	case steal.Lend:
		if len(b.Jobs) == 0 {
			return Name{}, false
		}
		n.run, n.number = b.Run, uint64(b.Jobs[0].Number)
	case steal.Return:
		n.run, n.number = b.Run, uint64(b.Number)
	case orphan.ResultIs:
		n.run, n.key = b.Run, b.Key
	case orphan.Copy:
		n.run, n.number = b.Run, b.Round
	case orphan.Will:
		n.run, n.number = b.Run, b.Number
	default:
		return Name{}, false
	}
	n.kind = b.Kind()
	return n, true
}
