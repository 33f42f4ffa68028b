package driver

import (
	"slices"
	"testing"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// attaches attaches to the run of the submission a, by its id.
func attaches(t *testing.T, d *Driver, a steal.Nonce, task string) (one steal.Nonce, id steal.Key) {
	t.Helper()
	id = steal.Instance{Run: steal.KeyOf([]byte("a")), First: steal.Submission{Submitter: "me", Nonce: a}}.ID()
	one, effects, err := d.Attach(id, task)
	if err != nil {
		t.Fatal(err)
	}
	d.Do(effects)
	return one, id
}

// rooted are the roots that were told, by submission.
func (n *network) rooted(no steal.Nonce) (all []string) {
	for _, e := range n.rest {
		if r, ok := e.(Rooted); ok && r.Nonce == no {
			all = append(all, string(r.Root.Args))
		}
	}
	return all
}

// TestAttachedIsToldTheRoot: once, and before its answer.
func TestAttachedIsToldTheRoot(t *testing.T) {
	d, n, a, _ := asking(t, Config{})
	one, _ := attaches(t, d, a, "t")
	if !slices.Equal(n.rooted(one), []string{"a"}) {
		t.Errorf("told are %q", n.rooted(one))
	}
	d.Do([]peer.Effect{peer.Deliver{Nonce: one}, peer.AllReported{Nonce: one}})
	n.reading[0]()
	if !slices.Equal(n.how(one), []EndHow{Answered}) || len(n.rooted(one)) != 1 {
		t.Errorf("it has ended as %v, with %q", n.how(one), n.rooted(one))
	}
}

// TestAnswersWaitForRoots: an answer that comes before the root waits for it; when the run ends
// with it, there was none to attach to.
func TestAnswersWaitForRoots(t *testing.T) {
	d, n, a, _ := asking(t, Config{})
	one, _ := attaches(t, d, a, "t")
	u := d.submissions.find(one)
	u.run, u.rooted = steal.Key{9}, false // as if nothing but its acceptance had come
	u.delivered = true
	d.Do([]peer.Effect{peer.AllReported{Nonce: one}})
	if !slices.Equal(n.how(one), []EndHow{NotOn}) {
		t.Errorf("it has ended as %v", n.how(one))
	}
}

// TestAttachedInVain: to a run that is not on, and to one of another task.
func TestAttachedInVain(t *testing.T) {
	d, n, a, _ := asking(t, Config{})
	other, _ := attaches(t, d, a, "u")
	if !slices.Equal(n.how(other), []EndHow{OtherTask}) || n.ended[other][0].Task != "t" {
		t.Errorf("of another task it has ended as %v", n.ended[other])
	}
	nobody, effects, err := d.Attach(steal.Key{9}, "t")
	if err != nil {
		t.Fatal(err)
	}
	d.Do(effects)
	if !slices.Equal(n.how(nobody), []EndHow{NotOn}) || len(n.rooted(nobody)) > 0 {
		t.Errorf("where there is no run it has ended as %v", n.how(nobody))
	}
}

// TestReleased: it ends once, unless its answer is being read.
func TestReleased(t *testing.T) {
	d, n, a, b := asking(t, Config{})
	d.Release(a)
	d.Release(a)
	d.Do([]peer.Effect{peer.Deliver{Nonce: b}})
	d.Release(b)
	if !slices.Equal(n.how(a), []EndHow{Released}) || len(n.how(b)) > 0 {
		t.Errorf("they have ended as %v", n.ended)
	}
}
