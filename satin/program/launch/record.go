package launch

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"

	"satingrid/satin/atomicfile"
	"satingrid/satin/program/wording"
)

const (
	// launchesFolder is below the state folder, and has a folder for each launch.
	launchesFolder = "launch"

	// recordFile is in a launch's folder, and says what was launched.
	recordFile = "launch.json"

	// nameLetters of nameAlphabet tell launches apart, also those of several machines whose
	// nodes are on one: 33 million.
	nameLetters  = 5
	nameAlphabet = "abcdefghijkmnpqrstuvwxyz23456789"

	// namesMax is how many names are tried.
	namesMax = 100
)

// drawName draws the name of a launch.
func drawName(how string) string {
	name := how + "-"
	for range nameLetters {
		name += string(nameAlphabet[rand.IntN(len(nameAlphabet))])
	}
	return name
}

// place gives a launch a name and a folder below a state folder, without making that.
func (l *Launch) place(state string) {
	l.Name = drawName(l.How)
	l.folder = filepath.Join(state, launchesFolder, l.Name)
}

// begin gives a launch a name that is free, and its folder, and writes down what is about to be
// started: so it can be ended whatever becomes of this process.
func (l *Launch) begin(state string) error {
	if err := os.MkdirAll(filepath.Join(state, launchesFolder), 0o700); err != nil {
		return fmt.Errorf("launch: %w", err)
	}
	err := fs.ErrExist
	for n := 0; n < namesMax && errors.Is(err, fs.ErrExist); n++ {
		l.place(state)
		err = os.Mkdir(l.folder, 0o700)
	}
	if err != nil {
		return fmt.Errorf("launch: %w", err)
	}
	return l.save()
}

// save writes it down as it is now.
func (l *Launch) save() error {
	text, err := json.MarshalIndent(l, "", "  ")
	if err == nil {
		err = atomicfile.Replace(filepath.Join(l.folder, recordFile), atomicfile.Private, append(text, '\n'))
	}
	if err != nil {
		return fmt.Errorf("launch: %w", err)
	}
	return nil
}

// forget takes the record away, and the folder if nothing of nodes is in it.
func (l *Launch) forget() error {
	if err := os.Remove(filepath.Join(l.folder, recordFile)); err != nil {
		return fmt.Errorf("launch: %w", err)
	}
	os.Remove(l.folder) // an error says that something is
	return nil
}

// launched are the launches of a state folder, the oldest first, and why others cannot be read.
func launched(state string) ([]*Launch, error) {
	base := filepath.Join(state, launchesFolder)
	entries, err := os.ReadDir(base)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("launch: %w", err)
	}
	var all []*Launch
	var unread error
	for _, e := range entries {
		file := filepath.Join(base, e.Name(), recordFile)
		text, err := os.ReadFile(file)
		if errors.Is(err, fs.ErrNotExist) || !e.IsDir() {
			continue
		}
		l := &Launch{}
		if err == nil {
			err = json.Unmarshal(text, l)
		}
		if err == nil && (l.Name != e.Name() || l.Nodes < 1 || l.Nodes > nodesMax || l.How == slurmWord && l.Slurm == nil || l.How == kubernetesWord && l.Pods == nil) {
			err = errors.New("it is damaged")
		}
		if err != nil {
			unread = also(unread, fmt.Errorf("%s says what was launched, and cannot be read (%w): its nodes have %s in their arguments; remove it when they have ended", file, wording.Bare(err), e.Name()))
			continue
		}
		l.folder = filepath.Dir(file)
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b *Launch) int { return a.Began.Compare(b.Began) })
	return all, unread
}

// also puts what went wrong together, on one line.
func also(all, err error) error {
	switch {
	case all == nil:
		return err
	case err == nil:
		return all
	}
	return fmt.Errorf("%w; %w", all, err)
}
