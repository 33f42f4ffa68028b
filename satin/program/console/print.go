package console

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
)

// Schema is the version of all JSON that commands print.
const Schema = 1

// PrintJSON prints one document on one line.
func PrintJSON(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	return enc.Encode(v)
}

// Printer prints lines until one fails.
type Printer struct {
	W   io.Writer
	Err error // of the line that failed
}

// Line prints one line.
func (p *Printer) Line(format string, args ...any) {
	if p.Err == nil {
		_, p.Err = fmt.Fprintf(p.W, format+"\n", args...)
	}
}

// Page prints a text at once; one that is printed again and again takes the place of the one
// before, on a terminal, and else has an empty line after it.
func (c *Console) Page(again bool, text func(*Printer)) error {
	var b bytes.Buffer
	p := &Printer{W: &b}
	if again && c.Screen {
		b.WriteString("\x1b[H\x1b[2J")
	}
	text(p)
	if again && !c.Screen {
		p.Line("")
	}
	_, err := c.Out.Write(b.Bytes())
	return err
}

// Round rounds seconds to microseconds: more digits would only be noise.
func Round(seconds float64) float64 { return math.Round(seconds*1e6) / 1e6 }

// Brief is a duration as people say it.
func Brief(seconds float64) string {
	switch {
	case seconds < 10:
		return fmt.Sprintf("%.1f s", seconds)
	case seconds < 2*60:
		return fmt.Sprintf("%.0f s", seconds)
	case seconds < 2*60*60:
		return fmt.Sprintf("%.0f min", seconds/60)
	case seconds < 48*60*60:
		return fmt.Sprintf("%.1f h", seconds/(60*60))
	default:
		return fmt.Sprintf("%.1f days", seconds/(24*60*60))
	}
}
