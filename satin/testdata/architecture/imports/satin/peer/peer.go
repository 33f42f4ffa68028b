package peer

import (
	_ "satingrid/membership"
	_ "satingrid/orphan"
	_ "satingrid/satin"      // want "satin/peer may not import satingrid/satin"
	_ "satingrid/satin/wire" // want "satin/peer may not import satingrid/satin/wire"
	_ "satingrid/steal/ledger"
)
