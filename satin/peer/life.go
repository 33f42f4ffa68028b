package peer

import (
	"satingrid/membership"
)

// Life is an incarnation as it travels.
type Life struct {
	_      struct{} `cbor:",toarray"`
	Join   uint64
	Rejoin uint64
	Random uint64
}

// LifeOf is how an incarnation travels.
func LifeOf(i membership.Incarnation) Life {
	return Life{Join: i.Join, Rejoin: i.Rejoin, Random: i.Random}
}
