package orphan_test

import (
	"fmt"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// A peer holds the result of lost work, and another learns of it.
func ExampleTable() {
	run := steal.Instance{Run: steal.KeyOf([]byte("what is computed"))}
	key := steal.KeyOf([]byte("a job of it"))
	life := membership.Incarnation{Join: 1}

	holder, other := orphan.NewTable("holder"), orphan.NewTable("other")
	holder.Reborn(0, life)
	holder.Advertise(0, run, orphan.Entry{Key: key, Cost: 1500}) // milliseconds
	for _, advert := range holder.Due(time.Second) {
		fmt.Println("some are missing before these:", other.HearAdvert("holder", life, advert))
	}
	fmt.Println("alike:", holder.Digest() == other.Digest())
	for _, h := range other.Holders(nil, run, key) {
		fmt.Println(h.Peer, "has it, which saves", time.Duration(h.Cost)*time.Millisecond)
	}
	other.Lost("holder")
	fmt.Println("entries when that is gone:", other.Len())
	// Output:
	// some are missing before these: false
	// alike: true
	// holder has it, which saves 1.5s
	// entries when that is gone: 0
}

// A result is kept for its owner. When that dies it is an orphan's: wanted by whoever does its work
// again, and advertised.
func ExampleResults() {
	run := steal.Instance{Run: steal.KeyOf([]byte("what is computed"))}
	key := steal.KeyOf([]byte("a job of it"))
	table := orphan.NewTable("holder")
	table.Reborn(0, membership.Incarnation{Join: 1})
	results := orphan.NewResults(table)

	result := steal.Result{Outcome: steal.Value, Cost: 1500, Bytes: []byte("42")}
	results.KeepFor(0, run, key, result, orphan.KeptFor{Owner: "owner", Why: orphan.ForCopy})
	fmt.Println("advertised while its owner lives:", table.Has(run))
	fmt.Println("orphans when that is gone:", results.OwnerLost(time.Second, "owner"))
	fmt.Println("advertised then:", table.Has(run))
	found, ok := results.Get(run, key)
	fmt.Println(string(found.Bytes), ok)
	// Output:
	// advertised while its owner lives: false
	// orphans when that is gone: 1
	// advertised then: true
	// 42 true
}
