package local

import (
	"time"

	"satingrid/satin"
)

// CopiesDefault is how often peers send copies of what they have finished, where nothing else is
// said.
const CopiesDefault = 10 * time.Second

// Care is how much peers do so that a loss costs little, and against wrong results. Its zero
// value is the default.
type Care struct {
	CopyEvery time.Duration `json:"copy_every,omitempty"` // below 0: never
	NoFT      bool          `json:"no_ft,omitempty"`
	// the share of lent jobs that are executed twice
	Verify    float64 `json:"verify,omitempty"`
	ResultMax int     `json:"result_max,omitempty"` // bytes
	Strict    bool    `json:"strict,omitempty"`     // mistakes of the program are looked for
}

// Apply makes it a peer's or a client's.
func (c Care) Apply(to *satin.Config) {
	to.CopyEvery, to.Testing.NoFT, to.Verify, to.ResultMax = c.CopyEvery, c.NoFT, c.Verify, c.ResultMax
	to.Testing.Strict = c.Strict
}
