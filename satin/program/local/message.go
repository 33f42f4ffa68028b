package local

import (
	"time"

	"satingrid/satin/p2p/wan"
)

// instruction is what the parent tells a child. The first has Start; others one of the rest.
type instruction struct {
	Start *start `json:"start,omitempty"`
	Cut   *Cut   `json:"cut,omitempty"`
	Heal  bool   `json:"heal,omitempty"`

	Leave time.Duration `json:"leave,omitempty"` // within that time
}

// start is what a child needs to become a peer.
type start struct {
	Name    string        `json:"name"`
	Site    string        `json:"site"`
	Workers int           `json:"workers"`
	Grace   time.Duration `json:"grace"` // that it may take to leave when a signal tells it to
	Care    Care          `json:"care"`
	Ticket  string        `json:"ticket"` // holds the secret: never log an order
	Wan     bool          `json:"wan"`    // whether there can be distance between the sites
	Far     Distance      `json:"far"`
	Cuts    []Cut         `json:"cuts,omitempty"`
}

// Cut is a way that leads nowhere: from From to To, and with Both also back.
type Cut struct {
	From string `json:"from"`
	To   string `json:"to"`
	Both bool   `json:"both,omitempty"`
}

// seenFrom is the cut as a peer at site has to apply it; other is "" when it does
// not concern that site.
func (c Cut) seenFrom(site string) (other string, way wan.Way) {
	switch {
	case c.From == site && c.Both:
		return c.To, wan.Both
	case c.From == site:
		return c.To, wan.Out
	case c.To == site && c.Both:
		return c.From, wan.Both
	case c.To == site:
		return c.From, wan.In
	}
	return "", 0
}

// announced is what a child tells its parent, once: that it is a member, or why not.
type announced struct {
	Addrs []string `json:"addrs,omitempty"`
	ID    string   `json:"id,omitempty"`
	Error string   `json:"error,omitempty"`
}
