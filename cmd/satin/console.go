package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// console is where the command prints: answers to out, all else to err.
type console struct {
	out, err io.Writer
	terminal int  // file descriptor of err where it is a terminal, else -1
	colour   bool // whether escape sequences for colour are welcome on it
}

// widthDefault is for terminals that do not tell their width.
const widthDefault = 80

func newConsole(out io.Writer, err *os.File) *console {
	c := &console{out: out, err: err, terminal: -1}
	if fd := int(err.Fd()); term.IsTerminal(fd) && os.Getenv("TERM") != "dumb" {
		c.terminal = fd
		c.colour = os.Getenv("NO_COLOR") == ""
	}
	return c
}

// width is the terminal's width in columns.
func (c *console) width() int {
	if w, _, err := term.GetSize(c.terminal); err == nil && w > 0 {
		return w
	}
	return widthDefault
}
