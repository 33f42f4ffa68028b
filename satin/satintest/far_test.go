package satintest_test

import (
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// What goes to another site is counted on a grid without an emulated distance, too, and there is
// none where there is one site.
func TestBytesFarAreCounted(t *testing.T) {
	t.Parallel()
	real := func(c *satin.Config) { c.Testing.Carrier, c.Listen = nil, []string{"/ip4/127.0.0.1/tcp/0"} }
	for what, c := range map[string]satintest.Config{
		"in memory": {}, "on loopback": {Peer: real}, "one site": {Sites: []satintest.Site{{Name: "a", Peers: 2}}, Peer: real},
	} {
		g := start(t, c)
		task := Tree{Depth: 9, Seed: 3, Leaf: time.Millisecond}
		stats := wait(t, submit[Tree, uint64](t, g, task), task.Value())
		far := int64(0)
		for _, p := range stats.Peers {
			far += p.BytesFar
		}
		if one := len(c.Sites) == 1; one != (far == 0) {
			t.Errorf("%s: %d bytes went to other sites", what, far)
		}
	}
}
