package membership

import (
	_ "github.com/libp2p/go-libp2p/core/peer" // want "is imported by satin/p2p only"
	_ "slices"

	_ "satingrid/steal" // want "membership may not import satingrid/steal"
)
