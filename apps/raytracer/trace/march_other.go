//go:build !amd64

package trace

// quick tells that this machine has no marchQuick.
const quick = false

func marchQuick(*ray, *node, *pack, *place, int, bool) (int, child) {
	panic("trace: BUG: no marchQuick here")
}
