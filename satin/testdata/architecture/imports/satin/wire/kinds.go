package wire

import (
	_ "github.com/fxamacker/cbor/v2"

	_ "satingrid/membership"
	_ "satingrid/satin"     // want "satin/wire may not import satingrid/satin"
	_ "satingrid/satin/p2p" // want "satin/wire may not import satingrid/satin/p2p"
	_ "satingrid/satin/peer"
)
