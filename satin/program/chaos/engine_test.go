package chaos

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin/program/local"
)

// stage is a grid in the hands of a test.
type stage struct {
	peers  []local.Peer
	count  map[string]int
	master string
	log    []string
}

func newStage() *stage {
	s := &stage{count: map[string]int{}, master: "a/1"}
	for _, x := range sites {
		for range x.Peers {
			s.Join(x.Name, x.Workers)
		}
	}
	s.log = nil
	return s
}

func (s *stage) Alive() []local.Peer { return slices.Clone(s.peers) }
func (s *stage) Master() string      { return s.master }
func (s *stage) Cut(c local.Cut)     { s.log = append(s.log, fmt.Sprint("cut ", c)) }
func (s *stage) Heal()               { s.log = append(s.log, "heal") }

func (s *stage) Join(site string, _ int) (string, error) {
	s.count[site]++
	name := fmt.Sprintf("%s/%d", site, s.count[site])
	s.peers = append(s.peers, local.Peer{Name: name, Site: site})
	s.log = append(s.log, "join "+name)
	return name, nil
}

func (s *stage) act(verb, name string, do func(i int)) error {
	i := slices.IndexFunc(s.peers, func(p local.Peer) bool { return p.Name == name })
	if i < 0 {
		return errors.New("gone")
	}
	do(i)
	s.log = append(s.log, verb+" "+name)
	return nil
}

func (s *stage) Kill(name string) error {
	return s.act("kill", name, func(i int) { s.peers = slices.Delete(s.peers, i, i+1) })
}
func (s *stage) Stop(name string) error {
	return s.act("stop", name, func(i int) { s.peers[i].Stopped = true })
}
func (s *stage) Leave(name string) error {
	return s.act("leave", name, func(i int) { s.peers[i].Leaving = true })
}
func (s *stage) Cont(name string) error {
	return s.act("cont", name, func(i int) { s.peers[i].Stopped = false })
}

// took gives what has happened since it was last asked.
func (s *stage) took() string {
	text := strings.Join(s.log, ", ")
	s.log = nil
	return text
}

func TestEngine(t *testing.T) {
	script, err := Parse("kill master@20%; stop a@1s; cont a/2@2s; kill b/1@2s; join c:2@50%; kill c@every 3s; cut a>b@0s; heal@100%; cont b/2@0s; kill b/1@5s; leave b@every 7s; stop c/1@3500ms; leave c@3500ms", sites)
	if err != nil {
		t.Fatal(err)
	}
	s := newStage()
	e := New(script, s, sites, 1, func(string, Fault) {})
	for _, step := range []struct {
		gone     time.Duration
		progress float64
		want     string
	}{
		// b/2 cannot go on: it was never stopped
		{0, 0, "cut {a b false}"},
		// a site is all of its peers
		{time.Second, 0.1, "stop a/1, stop a/2"},
		// the master, stopped or not
		{1100 * time.Millisecond, 0.2, "kill a/1"},
		// in the order of the script
		{2 * time.Second, 0.4, "cont a/2, kill b/1"},
		{2900 * time.Millisecond, 0.4, ""}, // nothing twice
		// nobody is at c yet
		{3 * time.Second, 0.4, ""},
		// who is stopped cannot leave
		{4 * time.Second, 0.6, "join c/1, join c/2, stop c/1, leave c/2"},
		// again and again; b/1 is dead already
		{6 * time.Second, 0.7, "kill c/1, kill c/2"},
		// turns that were missed are not made up for
		{20 * time.Second, 0.8, "leave b/2"},
	} {
		e.Look(step.gone, step.progress)
		if got := s.took(); got != step.want {
			t.Errorf("at %v, %v: %q, wanted %q", step.gone, step.progress, got, step.want)
		}
	}
	fired, missed := e.Report()
	if want := []string{"heal@100%", "cont b/2@0s", "kill b/1@5s"}; fired != 10 || !slices.Equal(missed, want) {
		t.Errorf("fired %d, missed %q, wanted %q", fired, missed, want)
	}
}

// TestAnyIsDrawn draws from the seed: the same seed, the same peers.
func TestAnyIsDrawn(t *testing.T) {
	script, err := Parse("kill any@every 1s; join any@every 1s", sites)
	if err != nil {
		t.Fatal(err)
	}
	play := func(seed int64) string {
		s := newStage()
		e := New(script, s, sites, seed, func(string, Fault) {})
		for i := range 20 {
			e.Look(time.Duration(i)*time.Second, 0)
		}
		return s.took()
	}
	first, again, other := play(1), play(1), play(2)
	if first != again || first == other {
		t.Errorf("seed 1: %s\nseed 1: %s\nseed 2: %s", first, again, other)
	}
}
