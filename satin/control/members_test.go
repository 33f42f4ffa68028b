package control

import (
	"fmt"
	"slices"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/membership/addresses"
)

// TestInvited: an invitation names those that were reached last, and some clients that are there,
// however many members are.
func TestInvited(t *testing.T) {
	known := func(members, clients, gone int) (all []addresses.Known) {
		add := func(what string, n int, k addresses.Known) {
			for n := range n {
				k.ID = membership.PeerID(fmt.Sprint(what, n))
				all = append(all, k)
			}
		}
		add("m", members, addresses.Known{})
		add("c", clients, addresses.Known{Client: true})
		add("gone", gone, addresses.Known{Client: true, Age: time.Second})
		return all
	}
	for want, all := range map[string][]addresses.Known{
		"[]":                              known(0, 0, 0),
		"[m0 gone0 c0]":                   known(1, 1, 1),
		"[m0 m1 m2 m3 m4 m5 m6 m7 m8 m9]": known(50, 0, 5),
		"[m0 m1 m2 m3 m4 m5 m6 c0 c1 c2]": known(50, 5, 5),
		"[m0 m1 c3 c4 c5 c6 c7 c0 c1 c2]": known(2, 50, 5),
		"[m0 m1 m2 m3 m4 m5 m6 m7 m8 c0]": known(50, 1, 0),
		"[m0 m1 m2 m3 m4 m5 m6 gone0 c0]": known(7, 1, 1),
	} {
		var ids []membership.PeerID
		for _, k := range invited(slices.Clone(all)) {
			ids = append(ids, k.ID)
		}
		if got := fmt.Sprint(ids); got != want {
			t.Errorf("of %d it names %s, want %s", len(all), got, want)
		}
	}
}
