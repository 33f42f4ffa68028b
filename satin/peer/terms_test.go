package peer

import (
	"math"
	"testing"

	"satingrid/steal"
)

// TestTermsTravel: a run's record has what its submission asked for, and what later
// ones asked for besides.
func TestTermsTravel(t *testing.T) {
	p, _ := lone(t)
	submit := func(nonce steal.Nonce, terms Terms) {
		root := []byte("root")
		p.Received(0, "client", Message{From: asClient, Body: Submit{
			Submission: steal.Submission{Submitter: "client", Nonce: nonce}, Run: steal.Key{1}, Task: "t", RootDigest: steal.KeyOf(root), Root: root, Terms: terms,
		}})
	}
	submit(1, Terms{Verify: 0.5, ResultMax: 1000, Share: 7})
	submit(2, Terms{Verify: 0.5, ResultMax: 1000, Share: 9, Kept: true})
	submit(3, Terms{Verify: math.NaN(), Share: math.MaxUint16, ResultMax: math.MaxUint32})
	want := []Terms{{Verify: 0.5, ResultMax: 1000, Share: 9, Kept: true}, {ResultMax: ResultCarried, Share: ShareDefault}}
	if len(p.runs.all) != len(want) {
		t.Fatalf("%d runs, want %d: a submission under other terms is another run", len(p.runs.all), len(want))
	}
	for n, r := range p.runs.all {
		if h := r.head(); h.Terms != want[n] {
			t.Errorf("run %d: %+v, want %+v", n, h.Terms, want[n])
		}
	}
	other, _ := lone(t)
	h := p.runs.all[0].head()
	other.Received(0, "client", Message{From: asClient, Body: Record{Head: h, Root: []byte("root")}})
	if len(other.runs.all) != 1 || other.runs.all[0].terms != want[0] {
		t.Errorf("another peer learns of %+v", other.runs.all)
	}
}

// TestAnswerBeyondTheTerms: it is a failure that names the task and both figures.
func TestAnswerBeyondTheTerms(t *testing.T) {
	p, _ := lone(t)
	nonce, effects, _ := p.Submit(0, RootOf(steal.Key{1}, "task", []byte("root")).With(Terms{ResultMax: 100}))
	e, ok := find[Execute](effects)
	if !ok {
		t.Fatal("the root does not start")
	}
	d, ok := find[Deliver](p.Finished(0, e.Borrow, steal.Result{Bytes: make([]byte, 101)}))
	const want = "the answer of task task is 101 bytes: 100 may travel (Config.ResultMax)"
	if !ok || d.Nonce != nonce || d.Result.Outcome != steal.Panicked || string(d.Result.Bytes) != want {
		t.Errorf("delivered %+v %q", d, d.Result.Bytes)
	}
}
