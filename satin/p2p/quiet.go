package p2p

import (
	"log/slog"
	"os"

	"github.com/libp2p/go-libp2p/gologshim"
)

// libp2p reports ordinary things, such as a listener that was closed, as
// errors on stderr. What a user should know comes through Config.Log; who
// looks for a fault in libp2p sets its own variable.
func init() {
	if os.Getenv("GOLOG_LOG_LEVEL") == "" {
		gologshim.SetDefaultHandler(slog.DiscardHandler)
	}
}
