// Package plants puts defects into the machines, for tests, to see that a checker or a test finds
// each. The files that ship know nothing of them: a defect is an edit of their text, and the
// compiler is given the edited files in place of the true ones (go help build, -overlay).
//
// Each file testdata/NAME.txt is the defect NAME, in words and as an edit:
//
//	Nothing that was lent comes back after a loss.
//
//	-- satin/peer --
//	 func (s *salvage) putBack(now time.Duration, e steal.LoanLost) []membership.Effect {
//	+	if planted("no-ledger") {
//	+		return nil
//	+	}
//
// Below a folder's name stand changes of its files, apart by empty lines. Lines that begin with a
// space or a minus must stand in one place of the folder's sources, in whichever file, so that an
// edit outlives moves of code; those with a minus go, those with a plus come. A name that ends in
// .go is that of a new file. All defects are in one binary, each behind its switch, planted, and
// the environment variable [Env] says which of them it has.
package plants

import (
	"embed"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Env is the environment variable that names the defect which a binary is to have; without it, it
// has none.
const Env = "SATIN_PLANT"

// switches is the file that each edited folder gets.
const switches = `package %s

import "os"

var plantedHere = os.Getenv(%q)

func planted(defect string) bool { return plantedHere == defect }
`

//go:embed testdata
var files embed.FS

// Names lists the defects.
func Names() (all []string) {
	entries, err := files.ReadDir("testdata")
	if err != nil {
		panic(fmt.Sprintf("plants: BUG: %v", err))
	}
	for _, e := range entries {
		all = append(all, strings.TrimSuffix(e.Name(), ".txt"))
	}
	return all
}

// Build compiles the tests of packages, which are named by their folders, with all defects in them,
// into a folder: gridsim becomes gridsim.test there.
func Build(into string, packages ...string) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	edited, err := apply(root, Names())
	if err != nil {
		return err
	}
	overlay := struct{ Replace map[string]string }{map[string]string{}}
	for name, text := range edited {
		copied := filepath.Join(into, strings.ReplaceAll(name, "/", "+"))
		if err := os.WriteFile(copied, []byte(text), 0o600); err != nil {
			return err
		}
		overlay.Replace[filepath.Join(root, filepath.FromSlash(name))] = copied
	}
	data, err := json.Marshal(overlay)
	if err != nil {
		return err
	}
	list := filepath.Join(into, "overlay.json")
	if err = os.WriteFile(list, data, 0o600); err != nil {
		return err
	}
	build := exec.Command("go", "test", "-c", "-overlay", list, "-o", into+string(filepath.Separator))
	for _, p := range packages {
		build.Args = append(build.Args, "./"+p)
	}
	build.Dir = root
	if said, err := build.CombinedOutput(); err != nil {
		return fmt.Errorf("plants: the code with the defects in it does not compile: %w\n%s", err, said)
	}
	return nil
}

// Command runs a test binary from a folder that Build has filled, with a defect.
func Command(from, pkg, defect string, args ...string) (*exec.Cmd, error) {
	if !slices.Contains(Names(), defect) {
		return nil, fmt.Errorf("plants: there is no defect %q: the files in gridsim/plants/testdata are the defects", defect)
	}
	root, err := moduleRoot()
	if err != nil {
		return nil, err
	}
	c := exec.Command(filepath.Join(from, path.Base(pkg)+".test"), args...)
	c.Dir, c.Env = filepath.Join(root, filepath.FromSlash(pkg)), append(os.Environ(), Env+"="+defect)
	return c, nil
}

// moduleRoot is the folder of go.mod, from wherever in the module a test is run.
func moduleRoot() (string, error) {
	at, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(at, "go.mod")); err == nil {
			return at, nil
		}
		up := filepath.Dir(at)
		if up == at {
			return "", fmt.Errorf("plants: there is no go.mod above: defects are planted in a clone of the repository: %w", fs.ErrNotExist)
		}
		at = up
	}
}
