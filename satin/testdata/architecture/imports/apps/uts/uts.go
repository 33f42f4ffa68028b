package uts

import (
	_ "satingrid/apps/uts/tree"
	_ "satingrid/satin"
)
