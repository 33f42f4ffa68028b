package satin_test

import (
	"context"
	"testing"

	"satingrid/satin"
	"satingrid/satin/satintest"
)

// TestNilContextPanicsAtTheCall: a peer of a grid, and the run of another on it, outlive it.
func TestNilContextPanicsAtTheCall(t *testing.T) {
	g := satintest.Start(t, satintest.Config{
		App:   satin.App{Name: "nil", Tasks: []satin.TaskType{satin.Type[fibTask]()}},
		Sites: []satintest.Site{{Name: "a", Peers: 1}},
	})
	func() {
		defer func() {
			if recover() == nil {
				t.Error("the caller does not hear of it")
			}
		}()
		var none context.Context
		satin.Run(none, g.Client, fibTask{5})
	}()
	if got, err := satin.Run(t.Context(), g.Client, fibTask{20}); err != nil || got != 6765 {
		t.Errorf("afterwards: %d, %v", got, err)
	}
}
