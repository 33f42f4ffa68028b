package driver

import (
	"math/rand/v2"
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// toldStore is a store that answers when it is told to.
type toldStore struct {
	saved, forgotten, recalled int
	answer                     func()
}

func (s *toldStore) Save(_ peer.Save, over func(bool)) {
	s.saved++
	s.answer = func() { over(true) }
}

func (s *toldStore) Forget(peer.Forget) { s.forgotten++ }

func (s *toldStore) Recall(place steal.Key, _ int, over func(peer.Stored)) {
	s.recalled++
	s.answer = func() { over(peer.Stored{Place: place}) }
}

// TestTheStoreIsTold what is to be written, read and forgotten, and the machine what came of it: a
// run is asked for, then its record is written, then it is over.
func TestTheStoreIsTold(t *testing.T) {
	m := peer.New(peer.Config{Member: membership.Config{ID: "me", Workers: 1}, Store: true}, rand.New(rand.NewPCG(1, 2)))
	n, s := new(network), new(toldStore)
	d := New(Config{}, m, n, quiet{}, n, nil, s)
	d.Do(m.Found(n.Now()))
	root := peer.RootOf(steal.Key{1}, "task", []byte("root")).With(peer.Terms{Keep: 60})
	nonce, effects, err := m.Submit(n.Now(), root)
	if err != nil {
		t.Fatal(err)
	}
	d.Do(effects)
	if d.Tick(); s.recalled != 1 || s.saved != 0 {
		t.Fatalf("%d times it was asked what is stored, %d batches are written before", s.recalled, s.saved)
	}
	if s.answer(); s.saved != 1 {
		t.Fatalf("%d batches are written of a run that is kept", s.saved)
	}
	s.answer()
	if d.Do(m.Cancel(n.Now(), nonce)); s.forgotten != 1 {
		t.Errorf("%d times it is said that the run is over", s.forgotten)
	}
}
