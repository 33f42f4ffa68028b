package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// endsFile is where a peer keeps, in its state folder, which submissions have ended that kept runs:
// a line of JSON each.
const endsFile = "ended"

// keptEnd is a line of that file.
type keptEnd struct {
	Submitter string    `json:"submitter"`
	Nonce     uint64    `json:"nonce"`
	Ended     time.Time `json:"ended"`
	How       uint8     `json:"how,omitempty"`
}

// errEndLine tells what a line should be.
var errEndLine = errors.New("who has submitted what, and when it ended, is expected, in JSON")

// loadEnds reads the ends of a state folder. Those that cannot be read the grid may know.
func loadEnds(folder string, now time.Time) (all []peer.Tombstone, err error) {
	if folder == "" {
		return nil, nil
	}
	err = eachLine(filepath.Join(folder, endsFile), func(line []byte) error {
		var k keptEnd
		if err := json.Unmarshal(line, &k); err != nil || len(all) >= peer.EndedMax {
			return errEndLine
		}
		one := steal.Submission{Submitter: membership.PeerID(k.Submitter), Nonce: steal.Nonce(k.Nonce)}
		all = append(all, driver.TombstoneAt(one.Kept(), peer.Epitaph(k.How), now.Sub(k.Ended)))
		return nil
	})
	if err != nil {
		return all, fmt.Errorf("satin: which runs have ended: %w", err)
	}
	return all, nil
}

// writeEnds replaces the file.
func writeEnds(name string, all []peer.Tombstone, now time.Time) error {
	var lines []keptEnd
	for _, t := range all {
		lines = append(lines, keptEnd{
			Submitter: string(t.Submission.Submitter), Nonce: uint64(t.Submission.Nonce), How: uint8(t.How),
			Ended: now.Add(-time.Duration(t.Seconds) * time.Second).UTC().Truncate(time.Second),
		})
	}
	return replaceLines(name, lines)
}
