package driver

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// TestTwinsAreFound: two processes that take each other's place again and again, and none that was
// started anew, however often, or whose dead predecessor is heard once more.
func TestTwinsAreFound(t *testing.T) {
	for _, x := range []struct {
		name  string
		comes []uint64
		told  []int // how many came before it
	}{
		{"one that comes back", []uint64{1, 1, 1, 1, 1}, nil},
		{"started anew", []uint64{1, 2, 3, 4, 5, 6}, nil},
		{"the dead is heard after", []uint64{1, 2, 1, 2, 2}, nil},
		{"at each of two starts", []uint64{1, 2, 1, 2, 3, 2, 3}, nil},
		{"two that live", []uint64{1, 2, 1, 2, 1, 2}, []int{4, 5}},
		{"… and hang on for a while", []uint64{1, 1, 2, 2, 1, 1, 2, 1, 1}, []int{7}},
		{"… of which one was started anew", []uint64{1, 2, 1, 3, 1, 3, 1}, []int{6}},
	} {
		var v twins
		var told []int
		for n, process := range x.comes {
			if v.comes(0, "x", process) {
				told = append(told, n)
			}
			v.comes(0, "y", 7)
		}
		if !slices.Equal(told, x.told) {
			t.Errorf("%s: found by those that come after %v, want %v", x.name, told, x.told)
		}
	}
}

// TestLineagesAreBounded: who came longest ago is forgotten.
func TestLineagesAreBounded(t *testing.T) {
	var v twins
	come := func(n int) { v.comes(0, membership.PeerID(fmt.Sprint("x", n)), 1) }
	for n := range lineagesMax {
		come(n)
	}
	come(0)
	come(lineagesMax)
	if len(v.all) != lineagesMax || v.all[0].id != "x2" || v.all[lineagesMax-2].id != "x0" {
		t.Errorf("%d are known, first %s, last but one %s", len(v.all), v.all[0].id, v.all[lineagesMax-2].id)
	}
}

// TestLineagesAreForgotten: nobody is remembered for longer than two that live need to be found.
func TestLineagesAreForgotten(t *testing.T) {
	var v twins
	for n := range 100 {
		v.comes(time.Duration(n)*time.Minute, membership.PeerID(fmt.Sprint("x", n)), 1)
	}
	if len(v.all) != 11 || v.all[0].id != "x89" {
		t.Errorf("%d are known, first %s", len(v.all), v.all[0].id)
	}
}

// TestATwinIsTold: when its session stands, and the machine has heard of that.
func TestATwinIsTold(t *testing.T) {
	d, n := alone()
	n.up = true
	for _, process := range []uint64{1, 2, 1, 2} {
		d.Up(Other{ID: "x", Process: process})
		d.Down("x", Broken)
	}
	if len(n.twins) > 0 {
		t.Fatalf("one that may have been started anew is told: %v", n.twins)
	}
	n.sent = nil
	d.Up(Other{ID: "x", Process: 1})
	if want := []membership.PeerID{"x"}; !slices.Equal(n.twins, want) || len(n.sent) == 0 || len(n.ends) > 0 {
		t.Errorf("told are %v after %d frames, and this host ends: %v", n.twins, len(n.sent), n.ends)
	}
	d.Down("x", TwinMet)
	if want := []peer.Effect{Twin{}}; !slices.Equal(n.ends, want) {
		t.Errorf("who is told ends because of %v", n.ends)
	}
}
