package orphan

import (
	_ "satingrid/gridsim" // want "orphan may not import satingrid/gridsim"
	_ "satingrid/membership"
	_ "satingrid/steal"
)
