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
func neighbours(of PeerID, others []*seat) (all []*seat) {
	if len(others)+1 <= AllPairsMax {
		return slices.Clone(others)
	}
	ring := slices.Clone(others)
	slices.SortFunc(ring, func(a, b *seat) int { return cmp.Compare(ringPlace(a.ID), ringPlace(b.ID)) })
	own := ringPlace(of)
	at, _ := slices.BinarySearchFunc(ring, own, func(s *seat, own uint64) int {
		return cmp.Compare(ringPlace(s.ID), own)
	})
	n := len(ring) + 1 // with this peer, which stands before ring[at]
	for _, d := range []int{1, 2, n / 3, n - n/3, n - 2, n - 1} {
		s := ring[(at+d-1)%len(ring)]
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
