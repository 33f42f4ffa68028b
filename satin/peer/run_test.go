package peer

import (
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// TestRunIsDue: at the first of what is repeated for it.
func TestRunIsDue(t *testing.T) {
	s := &runs{}
	if s.deadline() != steal.Never {
		t.Error("there is no run, and something is due")
	}
	for name, c := range map[string]struct {
		set  func(*run)
		want time.Duration
	}{
		"nothing":                      {func(*run) {}, steal.Never},
		"its root has not come":        {func(r *run) { r.root.bytes, r.root.fetchAt = nil, 1 }, 1},
		"it has":                       {func(r *run) { r.root.fetchAt = 1 }, steal.Never},
		"its answer is on its way":     {func(r *run) { r.deliveries = []delivery{{again: 3}, {again: 2}} }, 2},
		"another is to hold it":        {func(r *run) { r.trust.again = 7 }, 7},
		"its answer is to be kept":     {func(r *run) { r.keptBy.again = 3 }, 3},
		"a panic is to be told":        {func(r *run) { r.failure, r.failAt = &steal.Result{}, 4 }, 4},
		"its master is to be seen":     {func(r *run) { r.lookAt = 5 }, 5},
		"its submitter is to be asked": {func(r *run) { r.demand.again = 6 }, 6},
	} {
		r := &run{root: rootHere{bytes: []byte{}}}
		r.keptBy.again, r.demand.again, r.facts.again = steal.Never, steal.Never, steal.Never
		r.best.publishAt, r.look.at, r.trust.again = steal.Never, steal.Never, steal.Never
		c.set(r)
		if s.all = []*run{r}; s.deadline() != c.want {
			t.Errorf("%s: due at %v, want %v", name, s.deadline(), c.want)
		}
	}
}

// wholeRun is a run of which everything has come, and that nothing is to be done for.
func wholeRun() *run {
	first := steal.Submission{Submitter: "c1", Nonce: 3}
	return &run{
		assignment: assignment{no: 1, instance: steal.Instance{Run: steal.Key{1}, First: first}, task: "t", terms: Terms{}.settled()},
		root:       rootHere{digest: steal.KeyOf([]byte("root")), size: 4, bytes: []byte("root")},
		itsMaster:  itsMaster{epoch: membership.Epoch{Number: 2, Master: in("a1").incarnation}, master: "a1"},
		waiters: waiters{
			submissions: []steal.Submission{first}, contacts: []Contact{{Submitter: "c1", Addrs: []string{addrOf("c1")}}},
		},
	}
}

// TestRecordsAreCompared: whoever has missed something that matters has another digest; where
// submitters may be dialled, and who has died of what, comes with what does.
func TestRecordsAreCompared(t *testing.T) {
	seen := map[uint64]string{wholeRun().digest(): "the run"}
	for name, change := range map[string]func(*run){
		"another run":              func(r *run) { r.instance.Run[15]++ },
		"another first submission": func(r *run) { r.instance.First.Nonce++ },
		"of another submitter":     func(r *run) { r.instance.First.Submitter = "c2" },
		"another epoch":            func(r *run) { r.epoch.Number++ },
		"another master":           func(r *run) { r.epoch.Master.Join++ },
		"a master's other process": func(r *run) { r.epoch.Master.Random++ },
		"another share":            func(r *run) { r.terms.Share++ },
		"it is kept for longer":    func(r *run) { r.terms.Keep++ },
		"a later order of a share": func(r *run) { r.terms.ShareNo++ },
		"it is kept":               func(r *run) { r.keeps = []steal.Submission{r.instance.First.Kept()} },
		"it is kept and answered": func(r *run) {
			r.keeps, r.over = []steal.Submission{r.instance.First.Kept()}, true
		},
		"one more waits":             func(r *run) { r.submissions = append(r.submissions, steal.Submission{Submitter: "c2"}) },
		"another waits":              func(r *run) { r.submissions[0].Nonce++ },
		"nobody waits":               func(r *run) { r.submissions = nil },
		"the first once more":        func(r *run) { r.submissions = append(r.submissions, r.submissions[0]) },
		"another waits, of another":  func(r *run) { r.submissions[0].Submitter = "c11" },
		"who waits has other digits": func(r *run) { r.submissions[0].Nonce += 1 << 40 },
	} {
		r := wholeRun()
		change(r)
		if same, known := seen[r.digest()]; known {
			t.Errorf("%s: it has the digest of %s", name, same)
		}
		seen[r.digest()] = name
	}
	for name, change := range map[string]func(*run){
		"the root has not come": func(r *run) { r.root.bytes = nil },
		"another address":       func(r *run) { r.contacts = nil },
		"a death":               func(r *run) { r.poison.count(0, Death{Victim: "b1"}) },
		"its answer":            func(r *run) { r.answer, r.over = &steal.Result{}, true },
		"how far it is":         func(r *run) { r.extent.done = 7 },
		"another number here":   func(r *run) { r.no++ },
	} {
		r := wholeRun()
		if change(r); seen[r.digest()] != "the run" {
			t.Errorf("%s: others compare it for ever", name)
		}
	}
}

// TestRecordTravels: with a root up to some length, with a longer one where that is asked for, with
// the best for whom lacks it; and what is told of it later does not change what was sent.
func TestRecordTravels(t *testing.T) {
	r := wholeRun()
	r.best.value, r.best.digest = []byte("best"), stamp("best").Digest
	r.best.ack("b1", in("b1").incarnation, r.best.digest)
	r.poison.count(0, Death{Victim: "b1", Key: keyOf("job")})
	for _, c := range []struct {
		bytes    int
		withRoot bool
		carries  bool
	}{{0, false, true}, {rootAlong, false, true}, {rootAlong + 1, false, false}, {rootAlong + 1, true, true}} {
		r.root.bytes = make([]byte, c.bytes)
		if got := r.recordFor(0, in("b1"), c.withRoot); (got.Root != nil) != c.carries {
			t.Errorf("of a root of %d bytes, asked for: %v, it carries %d", c.bytes, c.withRoot, len(got.Root))
		}
	}
	r.root.bytes = nil
	if got := r.recordFor(0, in("b1"), true); got.Root != nil || got.Best.Value != nil || got.Best.Digest != r.best.digest {
		t.Errorf("to one that has the best, by one that lacks the root: %v", got)
	}
	next := life{"b1", membership.Incarnation{Join: 1, Rejoin: 1}}
	if got := r.recordFor(0, next, true); string(got.Best.Value) != "best" {
		t.Errorf("in another life it gets %v", got.Best)
	}
	if r.record(0).Best.Value != nil {
		t.Error("a best goes to all")
	}
	h := r.head(0)
	r.submissions[0].Nonce, r.contacts[0].Submitter = 99, "x"
	if h.Submissions[0].Nonce != 3 || h.Contacts[0].Submitter != "c1" || len(h.Deaths) != 1 || h.Deaths[0].Key != keyOf("job") {
		t.Errorf("what was sent has changed: %+v", h)
	}
	if h.Master != "a1" || h.Epoch != r.epoch || h.Run != r.instance || h.RootBytes != 4 || h.RootDigest != r.root.digest || h.Task != "t" || h.Terms != r.terms {
		t.Errorf("it tells %+v", h)
	}
}

// TestHeadsAreSound: what nobody can mean is not kept, at the bounds what is.
func TestHeadsAreSound(t *testing.T) {
	long := membership.PeerID(strings.Repeat("i", membership.IDBytesMax+1))
	for name, c := range map[string]struct {
		change func(*Head)
		sound  bool
	}{
		"as made":                     {func(*Head) {}, true},
		"the longest name of a task":  {func(h *Head) { h.Task = strings.Repeat("t", TaskNameMax) }, true},
		"a longer one":                {func(h *Head) { h.Task = strings.Repeat("t", TaskNameMax+1) }, false},
		"a generic type":              {func(h *Head) { h.Task = "main.größe[int, []main.T]" }, true},
		"a name that clears a screen": {func(h *Head) { h.Task = "\x1b[2J" }, false},
		"a master of two words":       {func(h *Head) { h.Master = "a b" }, false},
		"nobody as master":            {func(h *Head) { h.Master = "" }, false},
		"a first that rings a bell":   {func(h *Head) { h.Run.First.Submitter = "\a" }, false},
		"the largest root":            {func(h *Head) { h.RootBytes = RootMax }, true},
		"a larger one":                {func(h *Head) { h.RootBytes = RootMax + 1 }, false},
		"no epoch":                    {func(h *Head) { h.Epoch.Number = 0 }, false},
		"the last epoch":              {func(h *Head) { h.Epoch.Number = epochMax - 1 }, true},
		"one that none can follow":    {func(h *Head) { h.Epoch.Number = epochMax }, false},
		"the longest id":              {func(h *Head) { h.Master = long[1:] }, true},
		"a longer one of a master":    {func(h *Head) { h.Master = long }, false},
		"the first's longest id":      {func(h *Head) { h.Run.First.Submitter = long[1:] }, true},
		"a longer one of the first":   {func(h *Head) { h.Run.First.Submitter = long }, false},
		"the least of a name":         {func(h *Head) { h.Task = "t" }, true},
		"the empty root":              {func(h *Head) { h.RootBytes = 0 }, true},
		"the longest label":           {func(h *Head) { h.Asked.Label = strings.Repeat("x", LabelMax) }, true},
		"a longer label":              {func(h *Head) { h.Asked.Label = strings.Repeat("x", LabelMax+1) }, false},
		"the longest name":            {func(h *Head) { h.Asked.By = strings.Repeat("x", AskedByMax) }, true},
		"one of two lines":            {func(h *Head) { h.Asked.By = "x\nx" }, false},
		"no text":                     {func(h *Head) { h.Asked.By = "\xff" }, false},
		"a date before there was one": {func(h *Head) { h.Asked.At = -1 }, false},
	} {
		h := wholeRun().head(0)
		if c.change(&h); h.sound() != c.sound {
			t.Errorf("%s: it is kept: %v", name, !c.sound)
		}
	}
}
