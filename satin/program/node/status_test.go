package node

import (
	"encoding/json"
	"strings"
	"testing"

	"satingrid/satin"
	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
)

// TestStatusSaysHowFarRunsAre: as their masters have told; where none has, there is no figure. Nor
// is a root anywhere that has its answer.
func TestStatusSaysHowFarRunsAre(t *testing.T) {
	s := admin.Status{Runs: []satin.RunStats{
		{Task: "t", State: satin.RunComputing, Share: 100},
		{Task: "t", State: satin.RunComputing, Share: 7, Progress: 0.314, Here: true},
		{Task: "t", State: satin.RunAnswered, Share: 100, Progress: 1},
		{Task: "t", State: satin.RunWaiting, Share: 100, Ends: 5},
	}}
	for n, want := range []struct{ done, said, where, row string }{
		{"-", "computing", "100; the root is elsewhere; 0 jobs ", `"state":"computing","progress":null,"left_seconds":null,"share":100,`},
		{"31 %", "computing, 31 % done as it guesses, time left unknown", "7; the root is here; 0 jobs ", `"state":"computing","progress":0.314,"left_seconds":null,"share":7,`},
		{"100 %", "answered", "100; 0 jobs ", `"state":"answered","progress":1,"left_seconds":null,"share":100,`},
		{"-", "waiting, alone: 5 lives of this node have ended with it, and nothing was finished", "100; the root is elsewhere; 0 jobs ", `"state":"waiting","progress":null,"left_seconds":null,"share":100,`},
	} {
		if got := doneOf(s.Runs[n]); got != want.done {
			t.Errorf("it is shown as %s, wanted %s", got, want.done)
		}
		var page strings.Builder
		printStatus(&console.Printer{W: &page}, s)
		if line := strings.Split(page.String(), "\n")[2+n]; !strings.Contains(line, " t: "+want.said+", share "+want.where) {
			t.Errorf("the page says %q, wanted %s", line, want.said)
		}
		row, err := json.Marshal(runRows(s)[n])
		const before = `{"id":"00000000000000000000000000000000","key":"00000000000000000000000000000000","task":"t",`
		if want := before + want.row + `"jobs":0,"busy_seconds":0}`; err != nil || string(row) != want {
			t.Errorf("%s, %v, wanted %s", row, err, want)
		}
	}
}
