package gridsim_test

import (
	"fmt"
	"time"

	"satingrid/gridsim"
)

// Two sites, 20 ms apart, compute a tree; then the master's process dies. Run tells whether a
// checker found anything: for one, an answer that is not what one core finds.
func ExampleRun() {
	o := gridsim.Options{
		Seed: 1, Sites: gridsim.SitesOf(2, 2), Submitted: 1,
		Near:     gridsim.Link{Delay: 50 * time.Microsecond},
		Far:      gridsim.Link{Delay: 20 * time.Millisecond, Rate: 10 << 20},
		Workload: &gridsim.Tree{Seed: 5, Depth: 6, Width: 6, Leaf: 10 * time.Millisecond},
		Faults:   []gridsim.Fault{{Kind: gridsim.CrashMaster, At: 3 * time.Second}},
		Work:     time.Minute, Span: 10 * time.Second, Settle: 20 * time.Second,
	}
	r, err := gridsim.Run(o)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(r.Killed, "is killed, another is master:", r.Epochs > 1)
	again, err := gridsim.Run(o)
	fmt.Println("the same, message for message:", again.Hash == r.Hash, err)
	// Output:
	// 1 is killed, another is master: true
	// the same, message for message: true <nil>
}
