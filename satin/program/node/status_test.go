package node

import (
	"encoding/json"
	"testing"

	"satingrid/satin"
	"satingrid/satin/program/admin"
)

// TestStatusSaysHowFarRunsAre: as their masters have told; where none has, there is no figure.
func TestStatusSaysHowFarRunsAre(t *testing.T) {
	s := admin.Status{Runs: []satin.RunStats{
		{Task: "t", State: satin.RunComputing, Share: 100},
		{Task: "t", State: satin.RunComputing, Share: 7, Progress: 0.314},
		{Task: "t", State: satin.RunAnswered, Share: 100, Progress: 1},
	}}
	for n, want := range []struct{ done, row string }{
		{"-", `"state":"computing","progress":null,"share":100,`},
		{"31 %", `"state":"computing","progress":0.314,"share":7,`},
		{"100 %", `"state":"answered","progress":1,"share":100,`},
	} {
		if got := doneOf(s.Runs[n]); got != want.done {
			t.Errorf("it is shown as %s, wanted %s", got, want.done)
		}
		row, err := json.Marshal(runRows(s)[n])
		const before = `{"id":"00000000000000000000000000000000","key":"00000000000000000000000000000000","task":"t",`
		if want := before + want.row + `"jobs":0,"busy_seconds":0}`; err != nil || string(row) != want {
			t.Errorf("%s, %v, wanted %s", row, err, want)
		}
	}
}
