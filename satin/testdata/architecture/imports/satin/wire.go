package satin

import (
	_ "github.com/libp2p/go-libp2p" // want "is imported by satin/p2p only"

	_ "satingrid/satin/p2p"
	_ "satingrid/satin/peer"
	_ "satingrid/satin/satintest" // want "satin may not import satingrid/satin/satintest"
	_ "satingrid/satin/wire"
	_ "satingrid/steal"
)
