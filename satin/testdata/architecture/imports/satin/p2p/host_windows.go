package p2p

import (
	_ "github.com/libp2p/go-libp2p-pubsub"

	_ "satingrid/membership" // want "satin/p2p may not import satingrid/membership"
)
