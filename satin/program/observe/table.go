package observe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"

	"satingrid/satin/program/console"
)

// Column is one of a table.
type Column struct {
	Title string
	Width int  // at least
	Right bool // its cells end below each other
	Rank  int  // where there is no room, the highest goes first
	Most  int  // it takes what room there is up to this width
	End   bool // of a cell that is too long the end stays: what tells peers of a site apart
	Extra bool // it is there only if all others have what room they take
}

// Cell is a figure or a word.
type Cell struct {
	Text  string
	Value float64 // by which rows are sorted, the greatest first; words are by their letters
}

// SheetRow is a row.
type SheetRow struct {
	Key   string // which it is, wherever it stands: an id
	Cells []Cell
}

// Sheet is rows below titles.
type Sheet struct {
	Columns []Column
	Lines   []SheetRow
}

// Fit is a table of the columns that have room, and the first in any case.
func (t Sheet) Fit(width int) Sheet {
	spare, room := width+1, width+1
	var keep []int
	for i, c := range t.Columns {
		if !c.Extra {
			keep = append(keep, i)
			spare -= c.Width + 1
			room -= max(c.Width, c.Most) + 1
		}
	}
	for i, c := range t.Columns {
		if c.Extra && room > c.Width {
			keep = append(keep, i)
			spare -= c.Width + 1
			room -= c.Width + 1
		}
	}
	slices.Sort(keep)
	for spare < 0 && len(keep) > 1 {
		at := 1
		for i := range keep[1:] {
			if t.Columns[keep[i+1]].Rank >= t.Columns[keep[at]].Rank {
				at = i + 1
			}
		}
		spare += t.Columns[keep[at]].Width + 1
		keep = slices.Delete(keep, at, at+1)
	}
	fit := Sheet{Lines: make([]SheetRow, len(t.Lines))}
	for _, i := range keep {
		fit.Columns = append(fit.Columns, t.Columns[i])
	}
	widen(fit.Columns, spare)
	for n, l := range t.Lines {
		fit.Lines[n].Key = l.Key
		for _, i := range keep {
			fit.Lines[n].Cells = append(fit.Lines[n].Cells, l.Cells[i])
		}
	}
	return fit
}

// widen gives columns what room there is, a little to each in turn. Where there is less than none,
// the first is narrower.
func widen(columns []Column, spare int) {
	if spare < 0 {
		columns[0].Width = max(columns[0].Width+spare, 1)
	}
	for before := -1; spare > 0 && spare != before; {
		before = spare
		for i := range columns {
			if c := &columns[i]; spare > 0 && c.Width < c.Most {
				c.Width++
				spare--
			}
		}
	}
}

// Sorted is a table by a column.
func (t Sheet) Sorted(column int) Sheet {
	t.Lines = slices.Clone(t.Lines)
	slices.SortStableFunc(t.Lines, func(a, b SheetRow) int {
		x, y := a.Cells[column], b.Cells[column]
		if t.Columns[column].Right {
			return cmp.Compare(y.Value, x.Value)
		}
		return strings.Compare(x.Text, y.Text)
	})
	return t
}

// Head are the titles.
func (t Sheet) Head() string {
	cells := make([]Cell, len(t.Columns))
	for i, c := range t.Columns {
		cells[i].Text = Cut(c.Title, c.Width)
	}
	return t.Row(cells)
}

// Row is a row as it is printed, no wider than the columns.
func (t Sheet) Row(cells []Cell) string {
	var b strings.Builder
	for i, c := range t.Columns {
		if i > 0 {
			b.WriteByte(' ')
		}
		text := cells[i].Text
		if over := runewidth.StringWidth(text) - c.Width; c.End && over > 0 && c.Width > 1 {
			text = runewidth.TruncateLeft(text, over+1, "…")
		}
		text = Cut(text, c.Width)
		if c.Right {
			text = runewidth.FillLeft(text, c.Width)
		} else {
			text = runewidth.FillRight(text, c.Width)
		}
		b.WriteString(text)
	}
	return strings.TrimRight(b.String(), " ")
}

// Cut is a text of at most so many columns of a terminal.
func Cut(text string, width int) string { return runewidth.Truncate(text, width, "…") }

func word(text string) Cell { return Cell{Text: text} }

func count(n int) Cell { return Cell{fmt.Sprint(n), float64(n)} }

// maybe is a figure that may not be known.
func maybe(n *float64, as func(float64) string) Cell {
	if n == nil {
		return Cell{"-", -1}
	}
	return Cell{as(*n), *n}
}

// Percent is a part of a whole.
func Percent(share float64) string { return fmt.Sprintf("%.0f %%", 100*share) }

// Amount is a number with at most four digits: 33.1 M.
func Amount(n float64) string {
	switch {
	case n < 9.95 && n != float64(int(n)):
		return fmt.Sprintf("%.1f", n)
	case n < 9999.5:
		return fmt.Sprintf("%.0f", n)
	}
	return scaled(n, "")
}

// Bytes is a number of bytes: 1.2 GB.
func Bytes(n float64) string {
	if n < 999.5 {
		return fmt.Sprintf("%.0f B", n)
	}
	return scaled(n, "B")
}

func scaled(n float64, unit string) string {
	for _, prefix := range []string{"k", "M", "G", "T", "P"} {
		if n /= 1000; n < 999.5 {
			return fmt.Sprintf("%.*f %s%s", digits(n), n, prefix, unit)
		}
	}
	return "many"
}

// digits are those behind the point of a number that has three.
func digits(n float64) int {
	switch {
	case n < 9.995:
		return 2
	case n < 99.95:
		return 1
	}
	return 0
}

func duration(seconds float64) string { return console.Brief(max(seconds, 0)) }

// trip is how long a request took: 0.21 ms.
func trip(seconds float64) string {
	if ms := 1000 * seconds; ms < 9.95 {
		return fmt.Sprintf("%.2f ms", ms)
	}
	return fmt.Sprintf("%.0f ms", 1000*seconds)
}

func load(n float64) string { return fmt.Sprintf("%.2f", n) }

// Columns is how many columns of a terminal a letter takes.
func Columns(r rune) int { return runewidth.RuneWidth(r) }
