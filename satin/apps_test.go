package satin_test

import (
	"testing"

	"satingrid/apps/fib"
	"satingrid/apps/knapsack"
	"satingrid/apps/nqueens"
	"satingrid/apps/raytracer"
	"satingrid/apps/sat"
	"satingrid/apps/tsp"
	"satingrid/apps/uts"
	"satingrid/satin"
)

// The structure of all that our applications send guarantees that it arrives: nothing is tried
// when it leaves.
func TestApplicationsAreCarriedUntried(t *testing.T) {
	for _, app := range []satin.App{fib.App(), knapsack.App(), nqueens.App(), {Name: "raytracer", Tasks: raytracer.Tasks()}, sat.App(), tsp.App(), uts.App()} {
		if len(app.Tasks) == 0 {
			t.Errorf("%s has no tasks", app.Name)
		}
		for _, task := range app.Tasks {
			if why := satin.Tried(task); why != "" {
				t.Errorf("%s: %s", app.Name, why)
			}
		}
	}
}
