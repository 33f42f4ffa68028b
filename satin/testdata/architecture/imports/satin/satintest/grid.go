package satintest

import (
	_ "satingrid/satin"
	_ "satingrid/satin/peer" // want "satin/satintest may not import satingrid/satin/peer"
)
