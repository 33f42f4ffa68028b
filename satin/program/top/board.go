package top

import (
	"slices"

	"satingrid/satin/program/moments"
	"satingrid/satin/program/observe"
)

// Board is what stands on the screen.
type Board struct {
	can           []moments.Ability // what may be done from here
	width, height int
	view          observe.View
	seen          bool // there is a view
	trouble       string
	tape          *moments.Position // where a recording stands; nil: the grid is there
	said          string            // of what was done last
	asks          *moments.Intent   // what is to be confirmed
	focus         int
	panes         [3]pane // sites, peers, runs
}

// pane is how one table is looked at.
type pane struct {
	key string // the line that is chosen; "": the first
	by  int    // the column by which it is sorted; 0: as it comes
}

// The tables, from the top.
const (
	sites = iota
	peers
	runs
)

// buttons are keys of a recording.
var buttons = map[string]moments.Button{
	" ": moments.Play, "right": moments.On, "left": moments.Back, "+": moments.Faster, "=": moments.Faster, "-": moments.Slower,
	"home": moments.Start, "end": moments.End,
}

// NewBoard is one of a size, from which some things can be done.
func NewBoard(width, height int, can ...moments.Ability) Board {
	return Board{can: can, width: width, height: height, focus: peers}
}

// Resized is the board on a screen of another size.
func (b Board) Resized(width, height int) Board {
	b.width, b.height = width, height
	return b
}

// Seen is the board at a moment. When there is trouble, what was seen last stays.
func (b Board) Seen(m moments.Moment) Board {
	if b.tape, b.trouble = m.Tape, m.Trouble; b.trouble == "" || b.tape != nil {
		b.view, b.seen = m.View, true
	}
	return b
}

// Done is the board once something was done, or not: a sentence says which.
func (b Board) Done(said string) Board {
	b.said = said
	return b
}

// Key is the board after a key. do is what is to be done now, and quit that this is the end.
func (b Board) Key(key string) (next Board, do *moments.Intent, quit bool) {
	if b.asks != nil {
		if key == "y" {
			do = b.asks
		}
		b.asks = nil
		return b, do, key == "ctrl-c"
	}
	b.said = ""
	if button := buttons[key]; b.tape != nil && button != "" {
		return b, &moments.Intent{Do: moments.Handle, Button: button}, false
	}
	switch key {
	case "q", "ctrl-c", "esc":
		return b, nil, true
	case "tab":
		b.focus = (b.focus + 1) % len(b.panes)
	case "backtab":
		b.focus = (b.focus + len(b.panes) - 1) % len(b.panes)
	case "up":
		b.move(-1)
	case "down":
		b.move(1)
	case "pgup":
		b.move(-b.height / 2)
	case "pgdn":
		b.move(b.height / 2)
	case "s":
		columns := len(b.table(b.focus).Columns)
		b.panes[b.focus].by = (b.panes[b.focus].by + 1) % columns
	case "l":
		b.ask(moments.Leave, peers)
	case "k":
		b.ask(moments.Kick, peers)
	case "c":
		b.ask(moments.Cancel, runs)
	}
	return b, nil, false
}

// move chooses another line.
func (b *Board) move(by int) {
	lines := b.table(b.focus).Lines
	if len(lines) == 0 {
		return
	}
	at := min(max(chosen(lines, b.panes[b.focus].key)+by, 0), len(lines)-1)
	b.panes[b.focus].key = lines[at].Key
}

// ask asks whether something shall be done to the line that is chosen.
func (b *Board) ask(do moments.Ability, table int) {
	lines := b.table(table).Lines
	if b.focus != table || !slices.Contains(b.can, do) || len(lines) == 0 {
		return
	}
	l := lines[chosen(lines, b.panes[table].key)]
	b.asks = &moments.Intent{Do: do, ID: l.Key, Name: l.Cells[0].Text}
}

// chosen is where the line of a key is; 0 when it is there no more.
func chosen(lines []observe.SheetRow, key string) int {
	return max(slices.IndexFunc(lines, func(l observe.SheetRow) bool { return l.Key == key }), 0)
}

// table is one of them as it is sorted, with the columns that have room.
func (b Board) table(which int) observe.Sheet {
	var t observe.Sheet
	switch which {
	case sites:
		t = b.view.SitesTable()
	case peers:
		t = b.view.PeersTable()
	default:
		t = b.view.RunsTable()
	}
	t = t.Fit(b.width - len(mark))
	if by := b.panes[which].by; by > 0 && by < len(t.Columns) {
		t = t.Sorted(by)
	}
	return t
}
