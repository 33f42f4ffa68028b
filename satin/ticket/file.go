package ticket

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"

	"satingrid/satin/atomicfile"
)

// GridFile is the name, in a state folder, of the ticket that makes a peer a
// member of its grid.
const GridFile = "grid.ticket"

// Save writes a ticket to a file that only its owner can read. The file
// appears whole or not at all, and replaces one that is there.
func Save(path string, t Ticket) error {
	text, err := t.text()
	if err != nil {
		return err
	}
	if err := atomicfile.Replace(path, atomicfile.Private, text); err != nil {
		return fmt.Errorf("ticket: %w", err)
	}
	return nil
}

// text is what is in a ticket's file.
func (t Ticket) text() ([]byte, error) {
	word, err := t.Encode()
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "# A ticket to grid %s. Whoever reads it can join: keep it to yourself.\n", t.Grid)
	for _, a := range t.Addrs {
		fmt.Fprintf(&b, "#   %s\n", a)
	}
	b.WriteString(word + "\n")
	return b.Bytes(), nil
}

// Load reads a ticket from a file, or from standard input when path is "-".
// The error is one line that begins with the file and line.
func Load(path string) (Ticket, error) {
	if path == "-" {
		return read("standard input", os.Stdin)
	}
	f, err := os.Open(path)
	if err != nil {
		return Ticket{}, fmt.Errorf("ticket: %w", err)
	}
	defer f.Close()
	return read(path, f)
}

func read(name string, r io.Reader) (Ticket, error) {
	text, err := io.ReadAll(io.LimitReader(r, textMax+1))
	if err != nil {
		return Ticket{}, fmt.Errorf("ticket: %s: %w", name, err)
	}
	t, err := Parse(string(text))
	if err != nil {
		return t, fmt.Errorf("%s:%w", name, err)
	}
	return t, nil
}

// Loose says that others than its owner can read a file, which the user should
// be told. It is no error: some systems hand out secrets that way.
func Loose(path string) bool {
	info, err := os.Stat(path)
	return err == nil && runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0
}

// Grid returns the grid that a state folder belongs to, and false when it
// belongs to none yet.
func Grid(dir string) (Ticket, bool, error) {
	if why := atomicfile.Foreign(dir); why != "" {
		return Ticket{}, false, fmt.Errorf("ticket: a secret of theirs may be there: %s", why)
	}
	return gridOf(dir)
}

// gridOf is the grid that a folder belongs to, whosever that is.
func gridOf(dir string) (Ticket, bool, error) {
	t, err := Load(filepath.Join(dir, GridFile))
	if errors.Is(err, fs.ErrNotExist) {
		return t, false, nil
	}
	return t, err == nil, err
}

// SetGrid makes a state folder belong to a grid. A folder that belongs to
// another grid already keeps it: that is an error, as one or the other is
// likely a mistake.
func SetGrid(dir string, t Ticket) error {
	old, ok, err := Grid(dir)
	if err != nil {
		return err
	}
	if ok && (old.Grid != t.Grid || old.Secret != t.Secret) {
		return fmt.Errorf("ticket: %s belongs to grid %q already: give another state folder with --state, or remove %s there to leave that grid",
			dir, old.Grid, GridFile)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("ticket: %w", err)
	}
	return Save(filepath.Join(dir, GridFile), t)
}
