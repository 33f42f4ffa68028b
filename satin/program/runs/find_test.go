package runs

import (
	"fmt"
	"strings"
	"testing"

	"satingrid/satin"
)

// numbered are runs whose ids begin so.
func numbered(ids ...string) (all []satin.RunStats) {
	for _, id := range ids {
		r := satin.RunStats{Task: "t.Task"}
		copy(r.ID[:], id)
		all = append(all, r)
	}
	return all
}

// TestFind takes a run by its id or the beginning of it, in letters of any size, and refuses what
// might be two, in one line.
func TestFind(t *testing.T) {
	all := numbered("\xab\xcd", "\xab\xce", "\xee\x01\x02\x03\x04", "\xee\x01\x02\x03\x05")
	all[0].Label = "tsp berlin52.tsp"
	for word, want := range map[string]string{
		"abcd": "", "ABCE": "", all[0].ID.String(): "",
		"abc":      `several runs begin with "abc": abcd0000 (tsp berlin52.tsp) and abce0000 (t.Task)`,
		"ee010203": `several runs begin with "ee010203": ee01020304000000`,
		"":         `there is no run ""; there are abcd0000 (tsp berlin52.tsp), abce0000 (t.Task), `,
		"ff":       `there is no run "ff"; there are abcd0000 (`,
	} {
		r, err := Find(all, word)
		if (err == nil) != (want == "") || err != nil && (!strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n")) {
			t.Errorf("%q: %v, wanted %q", word, err, want)
		}
		if err == nil && !strings.HasPrefix(r.ID.String(), strings.ToLower(word)) {
			t.Errorf("%q is taken for %v", word, r.ID)
		}
	}
	if _, err := Find(all[:1], "ff"); err == nil || err.Error() != `there is no run "ff"; there is abcd0000 (tsp berlin52.tsp)` {
		t.Error(err)
	}
	if _, err := Find(nil, "ab"); err == nil || err.Error() != `there is no run "ab": the grid has none` {
		t.Error(err)
	}
}

// TestFindAmongMany names some of them only.
func TestFindAmongMany(t *testing.T) {
	var ids []string
	for n := range 100 {
		ids = append(ids, fmt.Sprintf("%c", n))
	}
	if _, err := Find(numbered(ids...), "ff"); err == nil || !strings.HasSuffix(err.Error(), " and 92 others") {
		t.Error(err)
	}
}
