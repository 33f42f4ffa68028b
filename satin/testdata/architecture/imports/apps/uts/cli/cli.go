package cli

import (
	_ "github.com/urfave/cli/v2"

	_ "satingrid/apps/tsp"     // want "apps/uts/cli may not import satingrid/apps/tsp"
	_ "satingrid/apps/tsp/cli" // want "apps/uts/cli may not import satingrid/apps/tsp/cli"
	_ "satingrid/apps/uts"
	_ "satingrid/apps/uts/tree"
	_ "satingrid/cmd/satin/local" // want "apps/uts/cli may not import satingrid/cmd/satin/local"
	_ "satingrid/satin"
	_ "satingrid/satin/program"
)
