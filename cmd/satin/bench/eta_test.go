package bench

import (
	"math"
	"testing"
)

// TestJudge compares what a run of ten seconds said with its end.
func TestJudge(t *testing.T) {
	lines, err := readTold([]byte(`{"t":0,"event":"started","peer":"here"}
{"t":0.5,"event":"progress","jobs":1}
{"t":2.5,"event":"progress","jobs":2,"left_seconds":[5,20],"likely_seconds":15}
{"t":5.1,"event":"progress","jobs":3,"left_seconds":[1,2],"likely_seconds":1.5}
{"t":6,"event":"progress","jobs":3}
{"t":7.6,"event":"progress","jobs":4,"left_seconds":[2,3],"likely_seconds":2.4}
{"t":10,"event":"answered","answer":{"value":7},"complete":true}
`))
	if err != nil {
		t.Fatal(err)
	}
	row := judge("x", lines)
	if row.Samples != 4 || row.Unknown != 0.25 || math.Abs(row.Inside-2./3) > 1e-9 {
		t.Errorf("%+v", row)
	}
	for k, want := range [3][2]float64{{2, 4}, {1.5 / 4.9, 2}, {1, 1.5}} {
		if row.Ratio[k] == nil || math.Abs(*row.Ratio[k]-want[0]) > 1e-6 || math.Abs(*row.Width[k]-want[1]) > 1e-6 {
			t.Errorf("at %v: %v, %v, not %v", foretoldAt[k], row.Ratio[k], row.Width[k], want)
		}
	}
	r := EtaReport{Rows: []EtaRow{row, {Run: "over before anything was said", Unknown: 1}}}
	r.summarize()
	if r.Inside.Value != row.Inside || r.Unknown.Value != 0.625 || r.WidthQuarter.Value != 4 || r.WidthHalf.Value != 2 {
		t.Errorf("%+v", r)
	}
	if r.Inside.Verdict != "undecided" || r.WidthHalf.Verdict != "undecided" {
		t.Errorf("two runs decide: %+v", r)
	}
	if _, err := readTold([]byte(`{"t":0,"event":"started"}`)); err == nil {
		t.Error("a run without an answer was taken")
	}
}
