package membership_test

import (
	_ "satingrid/gridsim" // want "membership may not import satingrid/gridsim"
	_ "satingrid/satin"   // want "membership may not import satingrid/satin"
)
