package node

import (
	"context"
	"os"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/moments"
	"satingrid/satin/program/wording"
)

// atFlag is where a recording begins to be played.
func atFlag() *cli.DurationFlag {
	return &cli.DurationFlag{Name: "at", Usage: "play the recording FILE from `D` after its beginning", DefaultText: "its beginning"}
}

// replays finds out whether a command line that may name a recording makes sense.
func replays(c *cli.Context) error {
	verb := c.Command.Name
	switch n := c.NArg(); {
	case n > 1 || n == 1 && c.Args().First() == "":
		return console.Usage("%s takes one FILE, or none for a grid that is there, and there are %d", verb, n)
	case n == 0 && c.IsSet("at"):
		return console.Usage("--at is a moment of a recording: %s FILE plays one", verb)
	case n == 1 && (console.IsTyped(c, "join") || console.IsTyped(c, "state")):
		return console.Usage("%s plays the recording %s, and --join and --state lead to a grid that is there", verb, c.Args().First())
	case c.Duration("at") < 0:
		return console.Usage("--at is %v: 0s or more is expected", c.Duration("at"))
	}
	return nil
}

// play plays a recording in some view.
func play(con *console.Console, c *cli.Context, in func(*console.Interrupts, *moments.Deck) error) error {
	verb, name := c.Command.Name, c.Args().First()
	f, err := os.Open(name)
	if err != nil {
		return console.Usage("%s: %v", verb, wording.Bare(err))
	}
	defer f.Close()
	stop := con.Catch(nil)
	defer stop.Release()
	var d *moments.Deck
	err = stop.Unless(console.BeforeStart, func(ctx context.Context) (err error) {
		console.WhileSlow(func() { d, err = deckOf(ctx, f, c.Duration("at")) }, func() { con.Say("reading %s", name) })
		if err != nil && ctx.Err() == nil {
			err = console.Usage("%s: %s: %v", verb, name, err)
		}
		return err
	})
	if err != nil {
		return err
	}
	return in(stop, d)
}

// deckOf plays a recording from a moment on.
func deckOf(ctx context.Context, f *os.File, from time.Duration) (*moments.Deck, error) {
	t, err := moments.NewTape(ctx, f)
	if err != nil {
		return nil, err
	}
	return moments.NewDeck(ctx, t, from)
}
