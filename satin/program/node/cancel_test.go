package node

import (
	"strings"
	"testing"

	"satingrid/satin"
)

// TestFindRun takes a run by its id or the beginning of it, and refuses what might be two.
func TestFindRun(t *testing.T) {
	runs := []satin.RunStats{{Task: "one"}, {Task: "two"}}
	copy(runs[0].ID[:], "\xab\xcd")
	copy(runs[1].ID[:], "\xab\xce")
	for word, want := range map[string]string{"abcd": "", "ABCE": "", "abc": "several runs begin with abc: ", "": "there is no run", "ff": "there is no run \"ff\"; there are "} {
		r, err := findRun(runs, word)
		if (err == nil) != (want == "") || err != nil && !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, wanted %q", word, err, want)
		}
		if err == nil && !strings.HasPrefix(r.ID.String(), strings.ToLower(word)) {
			t.Errorf("%q is taken for %v", word, r.ID)
		}
	}
}
