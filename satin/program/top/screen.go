package top

import (
	"fmt"
	"strings"

	"satingrid/satin/program/moments"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/wording"
)

const (
	mark        = "> " // before the line that is chosen: it is to be seen without colours, too
	warningsMax = 3
	small       = 12 // lines of a screen that has room for one table only
	othersLeast = 2  // lines below the titles of a table that is not looked at
	focusLeast  = 4  // lines of the one that is; where there are fewer it is alone
)

// Style is how a line is to stand out, where there are colours.
type Style int

// The styles.
const (
	Plain Style = iota
	Title
	Chosen
	Warning
)

// Text is a line of the screen, no wider than that.
type Text struct {
	Text  string
	Style Style
}

// Screen are the lines that stand there, at most as many as it has.
func (b Board) Screen() (lines []Text) {
	add := func(style Style, text string) { lines = append(lines, Text{observe.Cut(text, b.width), style}) }
	switch {
	case !b.seen && b.trouble != "":
		add(Warning, b.trouble)
	case !b.seen:
		add(Plain, "looking at the grid …")
	default:
		add(Title, b.view.Title())
		if b.tape != nil {
			add(Plain, b.tape.String())
		}
		b.addWarnings(add)
		for which, rows := range b.share(b.height - len(lines) - 1) {
			lines = append(lines, b.pane(which, rows)...)
		}
	}
	lines = lines[:min(len(lines), max(b.height-1, 0))]
	for len(lines) < b.height-1 {
		lines = append(lines, Text{})
	}
	if b.height > 0 {
		add(b.foot())
	}
	return lines
}

// addWarnings adds what is wrong, the worst first.
func (b Board) addWarnings(add func(Style, string)) {
	all := b.view.Warnings
	if b.trouble != "" {
		all = append([]string{b.trouble}, all...)
	}
	if b.height < small {
		all = all[:min(len(all), 1)]
	}
	shown := all[:min(len(all), warningsMax)]
	for i, w := range shown {
		if more := len(all) - len(shown); more > 0 && i == len(shown)-1 && b.height >= small {
			where := "see status"
			if b.tape != nil {
				where = "see report --at"
			}
			w = fmt.Sprintf("%s (and %d more: %s)", w, more, where)
		}
		add(Warning, "! "+w)
	}
	if line := b.view.LossesLine(); line != "" && b.height >= small {
		add(Plain, line)
	}
}

// share is how many lines each table has, its titles counted. The one that is looked at has what
// the others leave.
func (b Board) share(room int) (rows [3]int) {
	need := [3]int{}
	total := 0
	for which := range need {
		need[which] = 1 + max(len(b.table(which).Lines), 1)
		total += need[which]
	}
	switch {
	case total <= room:
		return need
	case b.height < small:
		rows[b.focus] = max(room, 0)
		return rows
	}
	left := room
	for which := range rows {
		if which != b.focus {
			rows[which] = min(need[which], max(1+othersLeast, room/4))
			left -= rows[which]
		}
	}
	if left < min(focusLeast, need[b.focus]) {
		rows = [3]int{}
		left = room
	}
	rows[b.focus] = min(left, need[b.focus])
	if spare := left - rows[b.focus]; spare > 0 {
		for which := range rows {
			more := min(spare, need[which]-rows[which])
			if rows[which] == 0 && more < 1+othersLeast {
				continue
			}
			rows[which] += more
			spare -= more
		}
	}
	return rows
}

// pane are the lines of a table.
func (b Board) pane(which, rows int) (lines []Text) {
	if rows < 1 {
		return nil
	}
	t := b.table(which)
	at := chosen(t.Lines, b.panes[which].key)
	head := "  "
	if which == b.focus {
		head = "* "
	}
	lines = append(lines, Text{observe.Cut(head+b.titles(which, t), b.width), Title})
	if len(t.Lines) == 0 {
		return append(lines, Text{observe.Cut("  "+[]string{"no site", "no peer", "no run is on, and no answer is kept"}[which], b.width), Plain})[:min(rows, 2)]
	}
	rows = min(rows-1, len(t.Lines))
	from := min(max(at-rows/2, 0), len(t.Lines)-rows)
	for i, l := range t.Lines[from : from+rows] {
		text, style := strings.Repeat(" ", len(mark)), Plain
		if which == b.focus && from+i == at {
			text, style = mark, Chosen
		}
		lines = append(lines, Text{observe.Cut(text+t.Row(l.Cells), b.width), style})
	}
	return lines
}

// titles are those of a table. The one by which it is sorted is in brackets, where that has room.
func (b Board) titles(which int, t observe.Sheet) string {
	if by := b.panes[which].by; by > 0 && by < len(t.Columns) {
		c := &t.Columns[by]
		if marked := "[" + c.Title + "]"; len(marked) <= c.Width {
			c.Title = marked
		} else {
			c.Title = strings.ToLower(c.Title)
		}
	}
	return t.Head()
}

// foot is the last line: a question, what was done, or which keys there are.
func (b Board) foot() (Style, string) {
	switch {
	case b.asks != nil:
		return Warning, fmt.Sprintf("%s %s? y: yes, any other key: no", b.asks.Do, b.asks.Name)
	case b.said != "":
		return Plain, b.said
	}
	keys := []string{"q quit", "Tab table", "arrows choose", "s sort"}
	if b.tape != nil {
		does := "Space plays"
		if b.tape.Playing {
			does = "Space stops"
		}
		keys = []string{"q quit", does, "left and right step", "+ and - speed", "Tab table", "s sort"}
	}
	for _, do := range b.can {
		if (do == moments.Cancel) == (b.focus == runs) && b.focus != sites {
			keys = append(keys, string(do[:1])+" "+string(do))
		}
	}
	return Title, wording.List(keys)
}
