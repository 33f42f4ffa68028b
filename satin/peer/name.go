package peer

import (
	"satingrid/membership"
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
	name := byNumber[b.Kind()].name
	if name == nil {
		return Name{}, false
	}
	n, ok := name(b)
	if ok {
		n.kind = b.Kind()
	}
	return n, ok
}

// named names what is told apart by its run, and by a number or a key in that.
func named(run steal.Instance, number uint64, key steal.Key) (Name, bool) {
	return Name{run: run, number: number, key: key}, true
}
