//go:build !race

package gridsim

const slower = 1
