package peer

import (
	"errors"

	"satingrid/membership"
	"satingrid/steal"
)

// What Vet finds.
var (
	errStamp = errors.New("a best is not what its digest names")
	errRoot  = errors.New("a root is not what its digest names")
)

// Vet tells why a message may not be brought to a Peer: what it carries is not what its
// digests name. It reads all of it; a Peer believes digests.
func Vet(body membership.Body) error {
	if vet := byNumber[body.Kind()].vet; vet != nil {
		return vet(body)
	}
	return nil
}

func (k *kind[B]) vet(b B) error {
	var root, best error
	if k.root != nil {
		root = vetRoot(k.root(b))
	}
	if k.best != nil {
		best = vetStamp(k.best(b))
	}
	return errors.Join(root, best)
}

func vetStamp(s steal.Stamp) error {
	if s.Value != nil && steal.KeyOf(s.Value) != s.Digest {
		return errStamp
	}
	return nil
}

func vetRoot(root []byte, digest steal.Key) error {
	if root != nil && steal.KeyOf(root) != digest {
		return errRoot
	}
	return nil
}
