package main

import (
	_ "github.com/urfave/cli/v2"

	_ "satingrid" // want "satingrid is in no layer"
	_ "satingrid/apps"
	_ "satingrid/apps/tsp"     // want "cmd may not import satingrid/apps/tsp"
	_ "satingrid/apps/tsp/cli" // want "cmd may not import satingrid/apps/tsp/cli"
	_ "satingrid/common"       // want "satingrid/common is in no layer"
	_ "satingrid/gridsim"      // want "cmd may not import satingrid/gridsim"
	_ "satingrid/satin"
	_ "satingrid/satin/p2p"  // want "cmd may not import satingrid/satin/p2p"
	_ "satingrid/satin/peer" // want "cmd may not import satingrid/satin/peer"
)
