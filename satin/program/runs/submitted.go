package runs

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"satingrid/satin/atomicfile"
)

// submittedMax bounds the runs that are remembered.
const submittedMax = 64

// One is a run that was submitted with a state folder.
type One struct {
	ID   string `json:"id"`
	Grid string `json:"grid"`
	// what leads there from anywhere; "": the node of the state folder
	Join  string    `json:"join,omitempty"`
	Label string    `json:"label"`
	At    time.Time `json:"at"`
}

// Submitted are the runs that were submitted with a state folder, each in a file. Its zero value
// has none.
type Submitted struct{ folder string }

// SubmittedIn are those of a state folder.
func SubmittedIn(state string) Submitted { return Submitted{filepath.Join(state, "submitted")} }

// ending is of the files' names.
const ending = ".json"

// Note remembers a run, and forgets the oldest of the others where there are too many.
func (s Submitted) Note(r One) error {
	if err := os.MkdirAll(s.folder, 0o700); err != nil {
		return err
	}
	data, err := json.Marshal(r)
	if err == nil {
		err = atomicfile.Replace(filepath.Join(s.folder, r.ID+ending), atomicfile.Private, append(data, '\n'))
	}
	if err != nil {
		return err
	}
	// not itself, whatever a clock says
	all := slices.DeleteFunc(s.All(), func(o One) bool { return o.ID == r.ID })
	for _, old := range all[:max(0, len(all)-(submittedMax-1))] {
		// another process may have done so
		os.Remove(filepath.Join(s.folder, old.ID+ending))
	}
	return nil
}

// All are those that are remembered, the latest last. What cannot be read is left out.
func (s Submitted) All() (all []One) {
	// the pattern is sound
	files, _ := filepath.Glob(filepath.Join(s.folder, "*"+ending))
	for _, file := range files {
		var r One
		data, err := os.ReadFile(file)
		if err == nil && json.Unmarshal(data, &r) == nil && r.ID+ending == filepath.Base(file) {
			all = append(all, r)
		}
	}
	slices.SortFunc(all, func(a, b One) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.ID, b.ID)) })
	return all
}

// Words are what may be typed for them: @last, and their short ids, the latest first.
func (s Submitted) Words() (words []string) {
	for _, r := range slices.Backward(s.All()) {
		if len(words) == 0 {
			words = append(words, Last)
		}
		words = append(words, r.ID[:min(len(r.ID), shortID)])
	}
	return words
}

// shortID is how many letters of an id people are shown.
const shortID = 8

// Find are those that a word may mean, the latest last: @last, an id, or the beginning of one. With
// the latter others may be meant that are on the grid now.
func (s Submitted) Find(word string) []One {
	all := s.All()
	if word == Last {
		return all[max(0, len(all)-1):]
	}
	return slices.DeleteFunc(all, func(r One) bool { return word == "" || !strings.HasPrefix(r.ID, strings.ToLower(word)) })
}
