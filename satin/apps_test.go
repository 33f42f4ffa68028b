package satin_test

import (
	"testing"

	"satingrid/apps"
	"satingrid/satin"
)

// The structure of all that our applications send guarantees that it arrives: nothing is tried
// when it leaves.
func TestApplicationsAreCarriedUntried(t *testing.T) {
	for _, a := range apps.All() {
		if len(a.App.Tasks) == 0 {
			t.Errorf("%s has no tasks", a.Name)
		}
		for _, task := range a.App.Tasks {
			if why := satin.Tried(task); why != "" {
				t.Errorf("%s: %s", a.Name, why)
			}
		}
	}
}
