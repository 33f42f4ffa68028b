package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"unicode"
	"unicode/utf8"

	"satingrid/membership"
	"satingrid/satin/atomicfile"
)

// keptFile is where a peer keeps, in its state folder, what it is called: who starts it again
// without a word means the same peer.
const keptFile = "node.json"

// called is what a peer is called. Name is "" where it follows from the site and the id.
type called struct {
	Site string `json:"site"`
	Name string `json:"name,omitempty"`
}

// check says why people could not read these names.
func (k called) check() error {
	for what, name := range map[string]string{"Site": k.Site, "Name": k.Name} {
		bad := strings.ContainsFunc(name, func(r rune) bool { return !unicode.IsPrint(r) })
		if bad || !utf8.ValidString(name) || len(name) > membership.NameBytesMax {
			return fmt.Errorf("%s is %.80q: at most %d bytes that can be printed are expected",
				what, name, membership.NameBytesMax)
		}
	}
	return nil
}

// recall fills in what the state folder knows and c leaves open, and tells what is to be kept once
// the grid has let this peer in.
func (c *Config) recall() (called, error) {
	given := called{c.Site, c.Name}
	if err := given.check(); err != nil {
		return given, fmt.Errorf("satin: %w", err)
	}
	if c.Client {
		return given, nil
	}
	kept, err := loadCalled(c.State)
	if err != nil {
		return kept, err
	}
	if c.Site == "" {
		c.Site = kept.Site
	}
	if c.Site == "" {
		c.Site = siteDefault
	}
	if c.Name == "" && c.Site == kept.Site {
		c.Name = kept.Name
	}
	return called{c.Site, c.Name}, nil
}

// siteDefault is for peers of one place that nobody has named.
const siteDefault = "site"

func loadCalled(folder string) (k called, err error) {
	if folder == "" {
		return k, nil
	}
	name := filepath.Join(folder, keptFile)
	data, err := os.ReadFile(name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return k, nil
	case err != nil:
		return k, fmt.Errorf("satin: what this peer is called: %w", err)
	}
	if err = json.Unmarshal(data, &k); err == nil {
		err = k.check()
	}
	if err != nil {
		return k, fmt.Errorf("satin: %s:1: what this peer is called cannot be read: %w: "+
			"remove the file, and say the site again", name, err)
	}
	return k, nil
}

// keep writes what a peer is called into its state folder.
func (k called) keep(folder string) error {
	if old, err := loadCalled(folder); folder == "" || err == nil && old == k {
		return nil
	}
	data, err := json.Marshal(k)
	if err != nil {
		return err
	}
	return atomicfile.Replace(filepath.Join(folder, keptFile), atomicfile.Private, append(data, '\n'))
}
