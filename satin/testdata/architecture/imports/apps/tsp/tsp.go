package tsp

import (
	_ "github.com/urfave/cli/v2" // want "is imported by satin/program and"

	_ "satingrid/apps/knapsack" // want "apps/tsp may not import satingrid/apps/knapsack"
	_ "satingrid/apps/tsp/bound"
	_ "satingrid/apps/tsp/cli" // want "apps/tsp may not import satingrid/apps/tsp/cli"
	_ "satingrid/satin"
	_ "satingrid/satin/peer" // want "apps/tsp may not import satingrid/satin/peer"
)
