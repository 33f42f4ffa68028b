package satin_test

import (
	"log/slog"
	"testing"

	"satingrid/apps/nqueens"
	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/ticket"
	"satingrid/satin/wire"
)

// floodedApp is the application of grids that outsiders meet.
var floodedApp = satin.App{Name: "flooded", Tasks: nqueens.App().Tasks}

// outsider is a host that greets as a peer of floodedApp, and says only what a test has it say.
func outsider(t *testing.T, tk ticket.Ticket, events p2p.Events) p2p.Carrier {
	t.Helper()
	greeting, err := satin.Greeting(floodedApp)
	if err != nil {
		t.Fatal(err)
	}
	host, err := p2p.Open(t.Context(), p2p.Config{
		Listen: []string{"/ip4/127.0.0.1/tcp/0"}, Grid: tk.Grid, Secret: tk.Secret.Bytes(), Wire: wire.Version,
		Hello: func() []byte { return greeting }, Events: events, Log: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	return host
}
