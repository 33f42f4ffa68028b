//go:build !race

package satin

// Inside the package: export_test.go needs it.

// raceFewer is how often a test does something: fewer times under the race detector, which
// is ten times slower.
func raceFewer(plain, _ int) int { return plain }
