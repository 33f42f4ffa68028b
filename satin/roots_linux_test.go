package satin_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"satingrid/satin/await"

	"satingrid/satin"
	"satingrid/satin/effort"
)

// resident is how much memory a process has.
func resident(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/statm", pid))
	if err != nil {
		t.Fatal(err)
	}
	pages, err := strconv.Atoi(strings.Fields(string(text))[1])
	if err != nil {
		t.Fatal(err)
	}
	return pages * os.Getpagesize()
}

// TestProcessesGiveRootsBack: runs with roots of 63 MiB follow each other. What the
// processes of the peers have of the system's memory when they are over is less than two
// roots beside what they have without any, however many there were.
func TestProcessesGiveRootsBack(t *testing.T) {
	roots := effort.Of(0, 4, 8)
	if roots == 0 {
		t.Skip("the race detector has memory of its own for each byte, and keeps it")
	}
	const bytes, without = 63 << 20, 40 << 20
	g := newDoomedGrid(t)
	peers := []*doomedPeer{g.master, g.join("a")}
	most := 0
	for n := range roots {
		data := make([]byte, bytes)
		for i := range data {
			data[i] = byte(n + 1)
		}
		got, err := satin.Run(t.Context(), g.client, bulky{data})
		if err != nil || got != 2*(n+1) {
			t.Fatalf("root %d: %d, %v", n, got, err)
		}
		for _, p := range peers {
			most = max(most, resident(t, p.Process.Pid))
		}
	}
	if most < bytes {
		t.Errorf("a peer had %d bytes at the most: no root was there", most)
	}
	for _, p := range peers {
		left := 0
		few := await.Comes(func() bool { left = resident(t, p.Process.Pid); return left <= 2*bytes+without })
		t.Logf("%s has %d MiB, and had %d", p.name, left>>20, most>>20)
		if !few {
			t.Errorf("%s is left with %d MiB after %d roots of %d", p.name, left>>20, roots, bytes>>20)
		}
	}
}
