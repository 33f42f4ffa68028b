package satintest

import (
	_ "satingrid/satin"
	_ "satingrid/satin/p2p" // want "satin/satintest may not import satingrid/satin/p2p"
)
