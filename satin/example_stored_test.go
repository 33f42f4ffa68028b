package satin_test

import (
	"fmt"
	"os"
	"path/filepath"

	"satingrid/satin"
)

// A folder of a peer that has stored nothing yet; one where it has is read in the same way.
func ExampleStoredRuns() {
	state := filepath.Join(os.TempDir(), "a-folder-that-is-not-there")
	all, err := satin.StoredRuns(state, naps)
	fmt.Println(len(all), err)
	found, err := satin.CheckStore(state)
	fmt.Println(found.Runs, found.Damaged, err)
	freed, err := satin.PruneStore(state)
	fmt.Println(freed, err)
	// Output:
	// 0 <nil>
	// 0 0 <nil>
	// 0 <nil>
}
