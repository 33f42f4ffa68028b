package peer

import (
	"slices"
	"testing"

	"satingrid/membership"
	"satingrid/steal"
)

// submittedAs is a submission of a run of its own.
func submittedAs(by membership.PeerID, n byte) Submit {
	return Submit{
		Submission: steal.Submission{Submitter: by, Nonce: steal.Nonce(n)},
		Run:        steal.Key{n}, RootDigest: steal.Key{1, n}, Task: "t", Terms: Terms{}.settled(),
	}
}

// made adds the run of a submission, with a root of so many bytes that has not come.
func (s *runs) made(m Submit, rootBytes int) *run {
	r := &run{
		assignment: assignment{no: s.next(), instance: steal.Instance{Run: m.Run, First: m.Submission}, task: m.Task, terms: m.Terms},
		root:       rootHere{digest: m.RootDigest, size: uint32(rootBytes)},
		waiters:    waiters{submissions: []steal.Submission{m.Submission}},
	}
	s.add(r)
	return r
}

// TestRunsAreFound: by what they are known by, and not any more when they have ended. Numbers are
// not given twice.
func TestRunsAreFound(t *testing.T) {
	s := &runs{}
	one, two := submittedAs("a1", 1), submittedAs("b1", 2)
	first, second := s.made(one, 0), s.made(two, 0)
	second.root.borrow = 7
	joined := steal.Submission{Submitter: "c1", Nonce: 9}
	second.submissions = append(second.submissions, joined)
	for name, c := range map[string]struct{ got, want *run }{
		"by its instance":              {s.find(second.instance), second},
		"an unknown instance":          {s.find(steal.Instance{}), nil},
		"by its number":                {s.numbered(first.no), first},
		"no number":                    {s.numbered(0), nil},
		"by its root":                  {s.executing(7), second},
		"another root":                 {s.executing(8), nil},
		"no root":                      {s.executing(0), nil},
		"by who waits for it":          {s.awaitedBy(joined), second},
		"nobody waits for it":          {s.awaitedBy(steal.Submission{Submitter: "c1"}), nil},
		"for who waits for it already": {s.runFor(Submit{Submission: joined}), second},
		"for who may join":             {s.runFor(Submit{Run: one.Run, RootDigest: one.RootDigest, Task: "t", Terms: one.Terms}), first},
		"under other terms":            {s.runFor(Submit{Run: one.Run, RootDigest: one.RootDigest, Task: "t"}), nil},
		"another root of that key":     {s.runFor(Submit{Run: one.Run, Task: "t", Terms: one.Terms}), nil},
		"another task":                 {s.runFor(Submit{Run: one.Run, RootDigest: one.RootDigest, Terms: one.Terms}), nil},
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	if got := s.roots(); !slices.Equal(got, []steal.Borrow{7}) {
		t.Errorf("the roots %v execute", got)
	}
	s.end(second)
	if s.find(second.instance) != nil || len(s.roots()) > 0 || len(s.all) != 1 {
		t.Error("it has ended, and is there")
	}
	if third := s.made(two, 0); third.no == second.no {
		t.Error("a number is given twice")
	}
}

// TestRunsByTheirIDs: what was submitted for one, without how long its answer is kept and which
// order of its share is the latest, which are its submissions' and people's; and who may join so.
func TestRunsByTheirIDs(t *testing.T) {
	s := &runs{}
	s.made(submittedAs("b1", 1), 0).id = steal.Key{8}
	m := submittedAs("a1", 2)
	m.Terms.Keep, m.Terms.ShareNo, m.Terms.Share = 60, 3, 7
	r := s.made(m, 0)
	r.id, r.asked = steal.Key{9}, Asked{Label: "balls"}
	for _, root := range [][]byte{nil, []byte("root")} {
		r.root.bytes = root
		got, known := s.rootOf(r.id)
		if !known || got.Run != m.Run || got.Task != "t" || string(got.Args) != string(root) || got.Digest != m.RootDigest || got.Asked != r.asked {
			t.Errorf("it is %+v, %v", got, known)
		}
		if got.Terms.Share != 7 || got.Terms.Keep != 0 || got.Terms.ShareNo != 0 || r.terms.Keep != 60 {
			t.Errorf("its terms are %+v, and the run's %+v", got.Terms, r.terms)
		}
	}
	if _, known := s.rootOf(steal.Key{7}); known || s.withID(steal.Key{7}) != nil {
		t.Error("one is known that is not there")
	}
	joins := Submit{Submission: steal.Submission{Submitter: "c1"}, Run: steal.Key{1}, RootDigest: steal.Key{1, 1}, Task: "t", Terms: Terms{}.settled()}
	if s.runFor(joins) == r {
		t.Error("one without an id joins it")
	}
	if joins.Joins = r.id; s.runFor(joins) != r {
		t.Error("an id leads elsewhere, or nowhere")
	}
	if joins.Joins = (steal.Key{7}); s.runFor(joins) != nil {
		t.Error("an id that is unknown leads to one with the same root")
	}
}

// TestWhoWaitsForARun: each once, in the order in which they came, and nobody where it is not on.
func TestWhoWaitsForARun(t *testing.T) {
	s := &runs{}
	r := s.made(submittedAs("b1", 1), 0)
	for n, by := range []membership.PeerID{"a1", "b1", "a1", "c1"} {
		r.submissions = append(r.submissions, steal.Submission{Submitter: by, Nonce: steal.Nonce(n + 2)})
	}
	if got := s.submitters(r.no); !slices.Equal(got, []membership.PeerID{"b1", "a1", "c1"}) {
		t.Errorf("%v wait", got)
	}
	if got := s.submitters(r.no + 1); got != nil {
		t.Errorf("%v wait for one that is not on", got)
	}
	r.submissions, r.over = nil, true
	if got := s.submitters(r.no); got == nil || len(got) > 0 || s.firstOf("b1") != 0 {
		t.Errorf("%v wait for one that is over, which counts: %d", got, s.firstOf("b1"))
	}
	if r.keeps = []steal.Submission{{Submitter: "d1"}}; s.compute() {
		t.Error("one that only keeps its answer computes")
	}
	if r.keeps = nil; !s.compute() {
		t.Error("one that is about to end counts for nothing")
	}
}

// TestRunsInSum: how many there are, of whom, how large, and what tells two states of them apart.
func TestRunsInSum(t *testing.T) {
	s, same := &runs{}, &runs{}
	for n := range byte(RunsMax) {
		if s.isFull() {
			t.Fatalf("full with %d", n)
		}
		s.made(submittedAs("a1", n), 0)
		same.made(submittedAs("a1", RunsMax-1-n), 0)
	}
	if !s.isFull() || s.firstOf("a1") != RunsMax || s.firstOf("b1") != 0 || len(s.heads(0)) != RunsMax {
		t.Errorf("%d of a1, %d of b1, %d heads", s.firstOf("a1"), s.firstOf("b1"), len(s.heads(0)))
	}
	if s.digest() != same.digest() {
		t.Error("the digest depends on the order")
	}
	if s.all[3].epoch.Number++; s.digest() == same.digest() {
		t.Error("the digest does not tell another epoch")
	}
	s.all[5].terms.ResultMax = 2 * ResultCarried
	if s.promised() != 2*ResultCarried || (&runs{}).promised() != 0 {
		t.Errorf("%d bytes are promised", s.promised())
	}
}

// TestRoomForRoots: of all, and of one submitter's; a small one, and one's own, always fit.
func TestRoomForRoots(t *testing.T) {
	const quarter = rootsMax / 4
	own := steal.Key{}
	s := &runs{ownRoot: func(digest steal.Key) []byte {
		if digest == own {
			return []byte("own")
		}
		return nil
	}}
	fits := func(by membership.PeerID, bytes int) bool {
		m := submittedAs(by, 99)
		m.Root = make([]byte, bytes)
		return s.rootFits(m)
	}
	s.made(submittedAs("a1", 1), quarter)
	if !fits("a1", quarter) || fits("a1", quarter+1) || !fits("b1", quarter+1) {
		t.Error("one submitter has more than its part, or less")
	}
	for n := range byte(3) {
		s.made(submittedAs("b1", 2+n), quarter)
	}
	if all, from := s.rootsTold("b1"); all != rootsMax || from != 3*quarter {
		t.Errorf("roots of %d bytes are told, %d from b1", all, from)
	}
	if fits("c1", rootAlong+1) || !fits("c1", rootAlong) {
		t.Error("a big one finds room, or a small one none")
	}
	for _, r := range s.all {
		if r.root.bytes = []byte{}; s.rootsHeld() > rootsMax {
			t.Error("more is held than may be")
		}
	}
	late := s.made(submittedAs("d1", 9), quarter)
	if s.mayHold(late) {
		t.Error("one is too many, and is held")
	}
	if own = late.root.digest; !s.mayHold(late) {
		t.Error("its own is not held")
	}
	if own = (steal.Key{}); !s.mayHold(s.made(submittedAs("d1", 10), rootAlong)) {
		t.Error("a small one is not held")
	}
	s.end(s.all[0])
	if !s.mayHold(late) {
		t.Error("one has ended, and makes no room")
	}
}
