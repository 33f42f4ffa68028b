package runs

import (
	"cmp"
	"fmt"
	"strings"

	"satingrid/satin"
	"satingrid/satin/program/wording"
)

// Last means the run that was submitted last with a state folder.
const Last = "@last"

// namedMax bounds the runs that a message names.
const namedMax = 8

// NotFound is the error of a word that means no run, or several.
type NotFound struct {
	Word string
	text string
}

func (e *NotFound) Error() string { return e.text }

// Several begins what a NotFound says of a word that means several.
const Several = "several runs begin with "

// Find is the run that a word means: its id, or the beginning of it. The error is a *NotFound.
func Find(all []satin.RunStats, word string) (satin.RunStats, error) {
	var found []satin.RunStats
	for _, r := range all {
		if word != "" && strings.HasPrefix(r.ID.String(), strings.ToLower(word)) {
			found = append(found, r)
		}
	}
	var none satin.RunStats
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) > 1:
		return none, &NotFound{word, fmt.Sprintf(Several+"%q: %s", word, wording.Some(named(found, word), namedMax))}
	case len(all) == 0:
		return none, &NotFound{word, fmt.Sprintf("there is no run %q: the grid has none", word)}
	}
	return none, &NotFound{word, fmt.Sprintf("there is no run %q; %s", word, wording.There(named(all, ""), namedMax))}
}

// named is how a message names runs: their ids, as short as goes beside a word, and what they are.
func named(all []satin.RunStats, word string) (names []string) {
	for _, r := range all {
		id := r.ID.Short()
		if len(word) >= len(id) {
			id = r.ID.String()
		}
		names = append(names, fmt.Sprintf("%s (%s)", id, cmp.Or(r.Label, r.Task)))
	}
	return names
}
