package satin_test

import (
	_ "github.com/libp2p/go-libp2p"

	_ "satingrid/apps/fib"
	_ "satingrid/cmd/satin/bench" // want "satin may not import satingrid/cmd/satin/bench"
	_ "satingrid/satin/satintest"
)
