package membership

import (
	"cmp"
	"hash/fnv"
	"slices"
)

// AllPairsMax is the size of a grid up to which everybody watches everybody. At 8 peers that is 35
// heartbeats a second sent by each; beyond, six neighbours send 30.
const AllPairsMax = 8

// neighbours are those of the others that a peer watches, and that watch it.
func (r *roll) neighbours(of PeerID) (all []*seat) {
	if len(r.here)+1 <= AllPairsMax {
		return slices.Clone(r.here)
	}
	at, _ := slices.BinarySearchFunc(r.ring, ringPlace(of), func(s *seat, own uint64) int {
		return cmp.Compare(s.line.place, own)
	})
	n := len(r.ring) + 1 // with this peer, which stands before ring[at]
	for _, d := range []int{1, 2, n / 3, n - n/3, n - 2, n - 1} {
		s := r.ring[(at+d-1)%len(r.ring)]
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}

// ringPlace scatters ids round the ring, so that a site that dies whole does not leave
// a gap of neighbours.
func ringPlace(id PeerID) uint64 {
	h := fnv.New64a()
	h.Write([]byte(id))
	x := h.Sum64()
	return (x ^ x>>29) * 0xbf58476d1ce4e5b9
}
