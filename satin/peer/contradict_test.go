package peer

import (
	"encoding/binary"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

func TestContradictionIsAFault(t *testing.T) {
	p, other := lone(t)
	p.Received(0, "other", Message{From: other, Body: membership.Hello{Member: membership.Member{
		ID: "other", Site: "a", Incarnation: other, State: membership.Here}}})
	nonce, _, _ := p.Submit(0, RootOf(steal.Key{1}, "t", []byte("root")))
	answer := func(value string, choosing bool) []Effect {
		return p.Received(time.Second, "other", Message{From: other, Body: Answer{
			Nonce: nonce, Result: steal.Result{Bytes: []byte(value), Choosing: choosing}}})
	}
	if d, ok := find[Deliver](answer("one", false)); !ok || d.Nonce != nonce {
		t.Fatal("the first answer is not delivered")
	}
	effects := answer("one", false)
	if _, again := find[Deliver](effects); again {
		t.Error("delivered twice")
	}
	if _, fault := find[Contradiction](effects); fault {
		t.Error("the same answer again is a fault")
	}
	if e, ok := bodies(effects)[0].(Ended); !ok || e.Submissions[0].Submission.Nonce != nonce {
		t.Error("a late answer is not acknowledged")
	}
	if _, fault := find[Contradiction](answer("two", false)); !fault {
		t.Error("another answer is no fault")
	}
	effects = answer("two", true)
	if _, fault := find[Contradiction](effects); fault {
		t.Error("another answer of a run whose jobs choose is a fault before they are compared")
	}
	again := answer("two", true)
	if _, asked := find[Differ](again); asked {
		t.Error("two comparisons of answers at a time")
	}
	differ, _ := find[Differ](effects)
	if _, fault := find[Contradiction](p.Differed(time.Second, differ.Nonce, false)); fault {
		t.Error("one of two equally good answers is a fault")
	}
	differ, ok := find[Differ](answer("better", true))
	if !ok || string(differ.A) != "one" || string(differ.B) != "better" {
		t.Fatalf("which of two answers is better is not asked: %v", differ)
	}
	if _, fault := find[Contradiction](p.Differed(time.Second, differ.Nonce, true)); !fault {
		t.Error("an answer that is better than the delivered one is no fault")
	}
}

// TestAnswersOfChoice: where either may be right the application is asked, once at a time.
func TestAnswersOfChoice(t *testing.T) {
	s := newSubmitter("a1")
	one := s.begins(t, "root")
	choice := func(text string) steal.Result { return steal.Result{Bytes: []byte(text), Choosing: true} }
	s.answered(one.id.Nonce, choice("4"), "a1")
	asked := func(effects []membership.Effect) bool {
		_, is := effects[0].(Differ)
		return is
	}
	if !asked(s.answered(one.id.Nonce, choice("5"), "a1")) || asked(s.answered(one.id.Nonce, choice("6"), "a1")) {
		t.Error("it is asked never, or twice")
	}
	does(t, "neither is better", s.differed(one.id.Nonce, false))
	if !asked(s.answered(one.id.Nonce, choice("6"), "a1")) {
		t.Error("it is not asked again")
	}
	if len(s.differed(one.id.Nonce, true)) != 1 {
		t.Error("one is better, and that is no fault")
	}
}

// TestAnswersThatDiffer: which two answers to one submission cannot both be right, and of which the
// application is asked. Which of several errors a run fails with depends on the order.
func TestAnswersThatDiffer(t *testing.T) {
	long := func(end string) string { return strings.Repeat("x", compareMax) + end }
	failed := func(text string) steal.Result { return steal.Result{Outcome: steal.Failed, Bytes: []byte(text)} }
	panicked := steal.Result{Outcome: steal.Panicked, Bytes: []byte("job: panics")}
	chosen := func(r steal.Result) steal.Result { r.Choosing = true; return r }
	for name, c := range map[string]struct {
		a, b         steal.Result
		fault, asked bool
	}{
		"the same":                        {a: value("4"), b: value("4")},
		"another":                         {a: value("4"), b: value("5"), fault: true},
		"none, and one of no bytes":       {a: value(""), b: steal.Result{}},
		"a long one, the same":            {a: value(long("a")), b: value(long("a"))},
		"a long one, another":             {a: value(long("a")), b: value(long("b")), fault: true},
		"a long one, longer":              {a: value(long("a")), b: value(long("aa")), fault: true},
		"an error":                        {a: value("4"), b: failed("one: bad"), fault: true},
		"an error first":                  {a: failed("one: bad"), b: value("4"), fault: true},
		"an error of that text":           {a: value("4"), b: failed("4"), fault: true},
		"another error of that job":       {a: failed("one: bad"), b: failed("one: worse"), fault: true},
		"an error of another job":         {a: failed("one: bad"), b: failed("two: bad")},
		"a long error":                    {a: failed("one: bad"), b: failed("one: " + long(""))},
		"a panic":                         {a: value("4"), b: panicked},
		"a panic first":                   {a: panicked, b: value("4")},
		"chosen, the same":                {a: chosen(value("4")), b: chosen(value("4"))},
		"chosen, another":                 {a: chosen(value("4")), b: chosen(value("5")), asked: true},
		"only one chosen":                 {a: value("4"), b: chosen(value("5")), asked: true},
		"only the first chosen":           {a: chosen(value("4")), b: value("5"), asked: true},
		"chosen, and an error":            {a: chosen(value("4")), b: failed("one: bad")},
		"chosen, a long one":              {a: chosen(value("4")), b: chosen(value(long("a")))},
		"an error of a job that chose":    {a: chosen(failed("one: bad")), b: failed("one: worse")},
		"chosen, a long one before":       {a: chosen(value(long("a"))), b: chosen(value("4"))},
		"chosen, as long as a sum is":     {a: chosen(value("4")), b: chosen(value("sixteen bytes!!!")), asked: true},
		"an error as long as a sum is":    {a: failed("one: bad"), b: failed("one: 16 bytes !!"), fault: true},
		"chosen, as long as may be whole": {a: chosen(value("4")), b: chosen(value(long(""))), asked: true},
	} {
		s := newSubmitter("a1")
		s.jobOf = func(failed []byte) steal.Key {
			job, _, _ := strings.Cut(string(failed), ":")
			return keyOf(job)
		}
		one := s.begins(t, "root")
		s.answered(one.id.Nonce, c.a, "a1")
		effects := s.answered(one.id.Nonce, c.b, "b1")
		_, fault := effects[0].(Contradiction)
		differ, asked := effects[0].(Differ)
		if fault != c.fault || asked != c.asked || len(told(effects)) == 1 == (fault || asked) {
			t.Errorf("%s: it is a fault: %v, and is asked about: %v", name, fault, asked)
		}
		if asked && (string(differ.A) != string(c.a.Bytes) || string(differ.B) != string(c.b.Bytes) || differ.Task != "task") {
			t.Errorf("%s: it asks about %q and %q of %s", name, differ.A, differ.B, differ.Task)
		}
	}
}

// TestLongAnswersAreSummed: two of different lengths have different sums, whatever is in them.
func TestLongAnswersAreSummed(t *testing.T) {
	for _, n := range []int{compareMax, compareMax + 1} {
		sum := short(value(string(make([]byte, n)))).Bytes
		if long := n > compareMax; long != (len(sum) == len(steal.Key{})) || long && binary.LittleEndian.Uint64(sum) != uint64(n) {
			t.Errorf("one of %d bytes is kept as %d", n, len(sum))
		}
	}
}

// TestErrorsOfUnknownJobs: where nobody can tell which job an error is of, none contradicts one.
func TestErrorsOfUnknownJobs(t *testing.T) {
	s := newSubmitter("a1")
	one := s.begins(t, "root")
	s.answered(one.id.Nonce, steal.Result{Outcome: steal.Failed, Bytes: []byte("bad")}, "a1")
	does(t, "another", s.answered(one.id.Nonce, steal.Result{Outcome: steal.Failed, Bytes: []byte("worse")}, "b1"), "b1: Ended 1")
	does(t, "a value", s.answered(one.id.Nonce, value("4"), "b1"),
		"fault: two answers to one submission differ: a job that is not a function of its fields", "b1: Ended 1")
}
