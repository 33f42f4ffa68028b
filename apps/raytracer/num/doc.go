// Package num is the raytracer's arithmetic: numbers that come out bit for bit the
// same on every machine.
//
// Two things make floating point differ between machines. A Go compiler may fuse a product and a
// sum into one instruction that rounds once (it does on arm64, ppc64, s390x, riscv64 and on amd64
// from level v3), also inside package math; and package math has assembly for some machines only.
// So this package has its own Sin, Cos, Exp, Log, Pow and Atan2, and every product of floats, here
// and in the packages beside it, stands directly inside a conversion such as float64(x*y), which
// the language defines to round. A test reads the sources and fails where one does not. Square
// roots, floors and bit patterns are exact by IEEE 754 and come from package math.
//
// [V] is a vector of three, [Frame] an orthonormal basis, [Sampler] a stream of well-spread random
// points that depends on a pixel, a sample and a dimension and on nothing else.
//
// # Costs
//
// The functions cost about what package math's pure Go functions cost, 5 to 15 ns.
//
// # Limitations
//
// The functions are accurate to about 1e-15 relative over the arguments a renderer uses, not
// correctly rounded. Sin and Cos are meant for arguments up to 1e5.
package num
