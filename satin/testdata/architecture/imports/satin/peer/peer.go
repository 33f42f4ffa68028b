package peer

import (
	_ "satingrid/membership"
	_ "satingrid/orphan"
	_ "satingrid/satin" // want "satin/peer may not import satingrid/satin"
	_ "satingrid/steal/ledger"
)
