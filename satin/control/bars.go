package control

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
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

// loadBars reads the bars of a state folder.
func loadBars(folder string) ([]membership.Bar, error) {
	if folder == "" {
		return nil, nil
	}
	name := filepath.Join(folder, barsFile)
	text, err := os.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("satin: who is barred: %w", err)
	}
	var bars []membership.Bar
	lines := bufio.NewScanner(bytes.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		var b membership.Bar
		_, err := fmt.Sscan(lines.Text(), &b.ID, &b.Counter, &b.Barred)
		if err != nil || len(bars) >= membership.BarsMax {
			return nil, fmt.Errorf("satin: %s:%d: "+
				"a peer id, a number and true or false are expected; "+
				"without the file this peer asks the grid again", name, n)
		}
		bars = append(bars, b)
	}
	return bars, lines.Err()
}

// writeBars replaces the file.
func writeBars(name string, bars []membership.Bar) error {
	var b bytes.Buffer
	for _, x := range bars {
		fmt.Fprintln(&b, x.ID, x.Counter, x.Barred)
	}
	return atomicfile.Replace(name, atomicfile.Private, b.Bytes())
}
