package control

import (
	"bytes"
	"errors"
	"fmt"
	"path/filepath"

	"satingrid/membership"
	"satingrid/satin/atomicfile"
)

// barsFile is where a peer keeps, in its state folder, whom the grid has barred: one "id counter
// barred" a line.
const barsFile = "barred"

// barredIDs are those of the bars that hold.
func barredIDs(bars []membership.Bar) []string {
	var ids []string
	for _, b := range bars {
		if b.Barred {
			ids = append(ids, string(b.ID))
		}
	}
	return ids
}

// errBarLine tells what a line should be.
var errBarLine = errors.New(
	"a peer id, a number and true or false are expected; without the file this peer asks the grid again")

// loadBars reads the bars of a state folder.
func loadBars(folder string) (bars []membership.Bar, err error) {
	if folder == "" {
		return nil, nil
	}
	err = eachLine(filepath.Join(folder, barsFile), func(line []byte) error {
		var b membership.Bar
		if _, err := fmt.Sscan(string(line), &b.ID, &b.Counter, &b.Barred); err != nil || len(bars) >= membership.BarsMax {
			return errBarLine
		}
		bars = append(bars, b)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("satin: who is barred: %w", err)
	}
	return bars, nil
}

// writeBars replaces the file.
func writeBars(name string, bars []membership.Bar) error {
	var b bytes.Buffer
	for _, x := range bars {
		fmt.Fprintln(&b, x.ID, x.Counter, x.Barred)
	}
	return atomicfile.Replace(name, atomicfile.Private, b.Bytes())
}
