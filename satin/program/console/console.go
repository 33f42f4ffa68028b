package console

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/term"
)

// Console is where a command prints: answers to Out, all else to Err, which keeps nobody for ever.
type Console struct {
	Name     string // of the program, as it is typed
	Out, Err io.Writer
	Screen   bool // whether Out is a terminal, whose screen can be cleared
	Terminal int  // file descriptor of Err where it is a terminal, else -1

	lost func() bool // tells whether Err was a terminal and is gone; nil: it was none
}

// widthDefault is for terminals that do not tell their width.
const widthDefault = 80

// New is the console of a process with these files.
func New(name string, out, err *os.File) *Console {
	c := &Console{Name: name, Out: out, Err: Patient(err), Screen: isTerminal(out), Terminal: -1}
	if isTerminal(err) {
		c.Terminal = int(err.Fd())
	}
	if fd := int(err.Fd()); term.IsTerminal(fd) {
		c.lost = func() bool { return !term.IsTerminal(fd) }
	}
	return c
}

// Patiently is the same console for a command that outlives whoever reads what it says: its Out
// keeps nobody for ever, either.
func (c *Console) Patiently() *Console {
	own := *c
	own.Out = Patient(c.Out)
	return &own
}

// isTerminal tells whether a file is a terminal that can do more than print.
func isTerminal(f *os.File) bool {
	return term.IsTerminal(int(f.Fd())) && os.Getenv("TERM") != "dumb"
}

// width is the terminal's width in columns.
func (c *Console) width() int {
	if w, _, err := term.GetSize(c.Terminal); err == nil && w > 0 {
		return w
	}
	return widthDefault
}

// Say prints a line for a person, which begins with the program's name.
func (c *Console) Say(format string, args ...any) {
	fmt.Fprintf(c.Err, "%s: %s\n", c.Name, fmt.Sprintf(format, args...))
}

// Variable is the environment variable that stands in for a flag: SATIN_RESULT_MAX for result-max.
func (c *Console) Variable(flag string) string {
	return strings.ToUpper(strings.ReplaceAll(c.Name+"_"+flag, "-", "_"))
}

// StateFolder is where this user's peer keeps what it must remember: the folder given, or that of
// the program's name.
func (c *Console) StateFolder(given string) string {
	if given != "" {
		return given
	}
	base := os.Getenv("XDG_STATE_HOME")
	if base == "" {
		home, err := os.UserHomeDir()
		if err != nil {
			home = "."
		}
		base = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(base, c.Name)
}
