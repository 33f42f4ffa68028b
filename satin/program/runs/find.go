package runs

import (
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
	var found, known []string
	var run satin.RunStats
	for _, r := range all {
		known = append(known, named(r))
		if word != "" && strings.HasPrefix(r.ID.String(), strings.ToLower(word)) {
			run = r
			found = append(found, r.ID.String())
		}
	}
	missing := func(format string, args ...any) (satin.RunStats, error) {
		return run, &NotFound{word, fmt.Sprintf(format, args...)}
	}
	switch {
	case len(found) == 1:
		return run, nil
	case len(found) > 1:
		return missing(Several+"%q: %s", word, some(found))
	case len(all) == 0:
		return missing("there is no run %q: the grid has none", word)
	}
	return missing("there is no run %q; there are %s", word, some(known))
}

// named is how a message names a run: its short id and what it is.
func named(r satin.RunStats) string {
	what := r.Label
	if what == "" {
		what = r.Task
	}
	return fmt.Sprintf("%s (%s)", r.ID.Short(), what)
}

// some lists the first of many.
func some(all []string) string {
	if more := len(all) - namedMax; more > 0 {
		all = append(all[:namedMax:namedMax], fmt.Sprintf("%d others", more))
	}
	return wording.List(all)
}
