package purity

import (
	"math/rand"
	v2 "math/rand/v2"
)

func dice(seed uint64) (int, int) {
	r := v2.New(v2.NewPCG(seed, 1))
	q := rand.New(rand.NewSource(int64(seed)))
	return r.IntN(6), q.Intn(6)
}

func fate() int {
	rand.Shuffle(2, func(int, int) {}) // want "math/rand.Shuffle"
	return v2.IntN(6)                  // want "math/rand/v2.IntN"
}
