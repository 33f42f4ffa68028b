package gridsim

import (
	_ "satingrid/apps/uts/tree"
	_ "satingrid/satin" // want "gridsim may not import satingrid/satin"
	_ "satingrid/satin/peer"
	_ "satingrid/satin/wire"
)
