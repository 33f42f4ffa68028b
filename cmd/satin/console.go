package main

import (
	"io"
	"os"

	"golang.org/x/term"
)

// console is where the command prints: answers to out, all else to err.
type console struct {
	out, err io.Writer
	screen   bool // whether out is a terminal, whose screen can be cleared
	terminal int  // file descriptor of err where it is a terminal, else -1

	lost func() bool // tells whether err was a terminal and is gone; nil: it was none
}

// widthDefault is for terminals that do not tell their width.
const widthDefault = 80

func newConsole(out, err *os.File) *console {
	c := &console{out: out, err: err, screen: isTerminal(out), terminal: -1}
	if isTerminal(err) {
		c.terminal = int(err.Fd())
	}
	if fd := int(err.Fd()); term.IsTerminal(fd) {
		c.lost = func() bool { return !term.IsTerminal(fd) }
	}
	return c
}

// isTerminal tells whether a file is a terminal that can do more than print.
func isTerminal(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// width is the terminal's width in columns.
func (c *console) width() int {
	if w, _, err := term.GetSize(c.terminal); err == nil && w > 0 {
		return w
	}
	return widthDefault
}
