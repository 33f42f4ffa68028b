package peer

import (
	"errors"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// What Vet finds.
var (
	errStamp = errors.New("a best is not what its digest names")
	errRoot  = errors.New("a root is not what its digest names")
)

// Vet tells why a message may not be brought to a Peer: what it carries is not what its
// digests name. It reads all of it, so whoever decodes messages does this, not the loop; a
// Peer believes digests.
func Vet(body membership.Body) error {
	switch b := body.(type) {
	case Record:
		return errors.Join(vetRoot(b.Root, b.Head.RootDigest), vetStamp(b.Best))
	case Submit:
		return vetRoot(b.Root, b.RootDigest)
	case Answer:
		return vetStamp(b.Best)
	case Keep:
		return vetStamp(b.Best)
	case BestIs:
		return vetStamp(b.Best)
	case steal.Lend:
		return vetStamp(b.Best)
	case steal.Return:
		return vetStamp(b.Best)
	case orphan.ResultIs:
		return vetStamp(b.Best)
	case orphan.Copy:
		return vetStamp(b.Best)
	case orphan.Will:
		return vetStamp(b.Best)
	}
	return nil
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
