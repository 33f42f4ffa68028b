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
	submit(2, Terms{Verify: 0.5, ResultMax: 1000, Share: 9, Keep: 60})
	submit(3, Terms{Verify: math.NaN(), Share: math.MaxUint16, ResultMax: math.MaxUint32})
	want := []Terms{{Verify: 0.5, ResultMax: 1000, Share: 9, Keep: 60}, {ResultMax: ResultCarried, Share: ShareDefault}}
	if len(p.runs.all) != len(want) {
		t.Fatalf("%d runs, want %d: a submission under other terms is another run", len(p.runs.all), len(want))
	}
	for n, r := range p.runs.all {
		if h := r.head(0); h.Terms != want[n] {
			t.Errorf("run %d: %+v, want %+v", n, h.Terms, want[n])
		}
	}
	other, _ := lone(t)
	h := p.runs.all[0].head(0)
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

// TestTermsAreSettled: what is not said, or is beyond the bounds, is the default; at the bounds
// what was said holds.
func TestTermsAreSettled(t *testing.T) {
	usual := Terms{ResultMax: ResultCarried, Share: ShareDefault}
	verified := func(share float64) Terms { return Terms{ResultMax: ResultCarried, Share: ShareDefault, Verify: share} }
	for name, c := range map[string]struct{ said, want Terms }{
		"nothing":              {Terms{}, usual},
		"all are verified":     {Terms{Verify: 1}, verified(1)},
		"hardly any is":        {Terms{Verify: 1e-9}, verified(1e-9)},
		"more than all are":    {Terms{Verify: 1.001}, usual},
		"fewer than none are":  {Terms{Verify: -1}, usual},
		"no number of them is": {Terms{Verify: math.NaN()}, usual},
		"the greatest share":   {Terms{Share: ShareMax}, Terms{ResultMax: ResultCarried, Share: ShareMax}},
		"a greater one":        {Terms{Share: ShareMax + 1}, usual},
		"a byte":               {Terms{ResultMax: 1, Share: 1}, Terms{ResultMax: 1, Share: 1}},
	} {
		if got := c.said.settled(); got != c.want {
			t.Errorf("%s: %+v, want %+v", name, got, c.want)
		}
	}
}

// TestTermsOfTwo: a run answers another submission under what its jobs may return and how they are
// verified, and what it may use; of the shares the greater holds, in whatever order they are said.
func TestTermsOfTwo(t *testing.T) {
	one := Terms{ResultMax: 5, Verify: 0.5, Share: 7}
	if !one.fits(Terms{ResultMax: 5, Verify: 0.5, Share: 9}) || one.fits(Terms{ResultMax: 5}) || one.fits(Terms{ResultMax: 6, Verify: 0.5}) {
		t.Error("a run answers what it cannot, or does not answer what it can")
	}
	if fresh := (Terms{Fresh: true}); (Terms{}).fits(fresh) || !fresh.fits(fresh) || !fresh.fits(Terms{}) {
		t.Error("a run that used what was stored answers one that may not, or one that did not answers none")
	}
	for _, shares := range [][]uint16{{7, 9, 8}, {9, 8, 7}, {8, 7, 9}} {
		terms, greatest := Terms{}, uint16(0)
		for _, share := range shares {
			news := terms.join(Terms{Share: share})
			if news != (share > greatest) {
				t.Errorf("%v: that %d is asked for is news: %v", shares, share, news)
			}
			greatest = max(greatest, share)
		}
		if terms.Share != 9 {
			t.Errorf("%v: it has %d", shares, terms.Share)
		}
	}
}
