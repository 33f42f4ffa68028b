package chaos_test

import (
	"fmt"
	"time"

	"satingrid/satin/program/chaos"
	"satingrid/satin/program/local"
)

// still is a grid on which nothing happens but what is told.
type still struct{ chaos.Ground }

func (still) Kill(name string) error { return nil }
func (still) Master() string         { return "a/1" }
func (still) Alive() []local.Peer {
	return []local.Peer{{Name: "a/1", Site: "a"}, {Name: "b/1", Site: "b"}}
}

// Whoever owns an engine tells it how much time has gone and how far the run is.
func Example() {
	sites, _ := local.ParseSites("a:1,b:1")
	script, err := chaos.Parse("kill b/1@50%; kill master@2s", sites)
	if err != nil {
		fmt.Println(err)
		return
	}
	said := func(text string, _ chaos.Fault) { fmt.Println(text) }
	e := chaos.New(script, still{}, sites, 1, said)
	e.Look(time.Second, 0.2)
	e.Look(3*time.Second, 0.4)
	fmt.Println(e.Report())
	// Output:
	// kill a/1
	// 1 [kill b/1@50%]
}
