package control

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"satingrid/membership"
	"satingrid/satin/atomicfile"
	"satingrid/satin/p2p"
)

// barsFile is where a peer keeps, in its state folder, whom the grid has barred: one "id counter
// barred" a line.
const barsFile = "barred"

// Bar declares a peer dead and keeps it out of the grid, by its id, until it is let in again with
// barred false.
func (l *Loop) Bar(id string, barred bool) error {
	switch {
	case id == "" || len(id) > membership.IDBytesMax:
		return fmt.Errorf("satin: %q is no peer id", id)
	case id == l.ID():
		return errors.New("satin: a peer cannot bar itself; let it leave")
	}
	l.ask(func() { l.do(l.machine.Bar(l.now(), membership.PeerID(id), barred)) })
	if err := l.ctx.Err(); err != nil {
		return l.Err()
	}
	return nil
}

// barChanged makes the carrier refuse a peer, or no more, and keeps the bar.
func (l *Loop) barChanged(b membership.Bar) {
	l.bars[b.ID] = b
	if b.Barred {
		l.carrier.Bar(string(b.ID))
	} else {
		l.carrier.Unbar(string(b.ID))
	}
	l.keepBars()
}

// barForgotten makes the carrier accept one whose bar is the oldest of too many.
func (l *Loop) barForgotten(id membership.PeerID) {
	delete(l.bars, id)
	l.carrier.Unbar(string(id))
	l.keepBars()
}

// keepBars has the bars written to the state folder.
func (l *Loop) keepBars() {
	if l.conf.State != "" {
		l.note(&l.barsDiary)
	}
}

// isBarred tells whether this peer has barred another.
func (l *Loop) isBarred(id membership.PeerID) bool { return l.bars[id].Barred }

// shutOut ends this peer when another, which it has not barred itself, refuses it as barred.
func (l *Loop) shutOut(by membership.PeerID) {
	if !l.isBarred(by) {
		l.cancel(ErrBarred)
	}
}

// isShutOut tells whether a dial failed because the other end has barred this peer.
func isShutOut(err error) bool {
	var refused *p2p.Refusal
	return errors.As(err, &refused) && refused.Why == p2p.WhyBarred && !refused.Here
}

// tellBars gives the machine the bars that this peer kept.
func (l *Loop) tellBars() {
	if len(l.keptBars) > 0 {
		l.do(l.machine.Barred(l.now(), l.keptBars))
	}
}

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

// barsNow writes the bars that there are now.
func (l *Loop) barsNow() func() error {
	bars := maps.Clone(l.bars)
	return func() error {
		var b bytes.Buffer
		for _, id := range slices.Sorted(maps.Keys(bars)) {
			fmt.Fprintln(&b, id, bars[id].Counter, bars[id].Barred)
		}
		return atomicfile.Replace(filepath.Join(l.conf.State, barsFile), atomicfile.Private, b.Bytes())
	}
}
