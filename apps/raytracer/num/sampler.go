package num

import "math/bits"

// Sampler draws the random numbers of one sample of one pixel. The n-th draw is a function of seed,
// index and n alone. Draws of one n over the samples of a pixel are a scrambled Sobol' sequence:
// any 2^k of them from a multiple of 2^k spread evenly, which makes pictures converge much faster
// than independent numbers do; draws of different n, and of different pixels, are independent.
// (After Burley, "Practical Hash-based Owen Scrambling", 2020.)
type Sampler struct {
	seed  uint64
	index uint32
	draws uint32
}

// NewSampler makes the sampler of sample number index of pixel (x, y).
func NewSampler(x, y int, index uint32) Sampler {
	return Sampler{seed: Hash(uint64(uint32(x))<<32 | uint64(uint32(y))), index: bits.Reverse32(index)}
}

// Hash mixes all bits of x into all bits of the result (the finalizer of SplitMix64,
// Steele and others, 2014).
func Hash(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}

// Seek goes on with draw number n, so that what a draw is for does not depend on how
// many there were before.
func (s *Sampler) Seek(n int) { s.draws = uint32(n) }

// Two draws a point of the unit square, each coordinate in [0, 1).
func (s *Sampler) Two() (float64, float64) {
	h := s.next()
	i := bits.Reverse32(scramble(s.index, uint32(h)))
	h2 := uint32(h >> 32)
	x := scramble(i, h2)
	y := scramble(sobol1(i), h2*0x9e3779b1+0x7f4a7c15)
	return unit(bits.Reverse32(x)), unit(bits.Reverse32(y))
}

// One draws a number in [0, 1).
func (s *Sampler) One() float64 {
	h := s.next()
	i := bits.Reverse32(scramble(s.index, uint32(h)))
	return unit(bits.Reverse32(scramble(i, uint32(h>>32))))
}

func (s *Sampler) next() uint64 {
	s.draws++
	return Hash(s.seed ^ uint64(s.draws)<<40)
}

// unit maps 32 bits to [0, 1). The product with a power of two is exact.
func unit(x uint32) float64 { return float64(float64(x) * 0x1p-32) }

// scramble permutes the numbers of a reversed-bit interval in Owen's nested manner: bit i of the
// result is bit i of x, flipped or not depending on the lower bits only. (Laine and Karras, 2011,
// with Vegdahl's constants.)
func scramble(x, seed uint32) uint32 {
	x ^= x * 0x3d20adea
	x += seed
	x *= seed>>16 | 1
	x ^= x * 0x05526c56
	x ^= x * 0x53a22864
	return x
}

// sobol1 is the second coordinate of the i-th point of Sobol's sequence, its bits reversed:
// Pascal's triangle modulo 2 times the bits of i.
func sobol1(i uint32) uint32 {
	i ^= i >> 16
	i ^= i & 0xff00ff00 >> 8
	i ^= i & 0xf0f0f0f0 >> 4
	i ^= i & 0xcccccccc >> 2
	i ^= i & 0xaaaaaaaa >> 1
	return i
}
