package moments

import "context"

// Ability is what can be done to a peer or a run, as the command has it.
type Ability string

// What can be done.
const (
	Leave  Ability = "leave"
	Kick   Ability = "kick"
	Cancel Ability = "cancel"
	Handle Ability = "handle" // a recording, by a button
)

// Intent is what somebody who looks wants done, and to which peer or run.
type Intent struct {
	Do     Ability
	ID     string
	Name   string // for people
	Button Button // of [Handle]
}

// Control does what somebody who looks wants done. The zero value can do nothing.
type Control struct {
	Can []Ability
	// Act does something of that, and says what came of it.
	Act func(context.Context, Intent) (string, error)
}
