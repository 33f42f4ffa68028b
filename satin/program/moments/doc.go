// Package moments is what views of a grid show, one moment after the other: of a grid that is
// there, or of a recording of one.
//
// A view shows a [Stream] of [Moment] and knows no difference. [Live] looks at a grid. A [Deck]
// plays a [Tape], which is a recording: it stands somewhere on it, and goes on as fast as it is
// told to.
//
// # Costs
//
// What is shown of a moment depends on all that was before. So a tape keeps up to 64 states as it
// is read, in 64 MiB at most, and goes back to the last before: it reads a 64th of the recording
// then, some 1 ms of a core for each look at a grid of a dozen peers. A recording that was
// compressed anew is read from its beginning: it has no places at which one can begin.
//
// # Limitations
//
// Of a recording there is what was looked at, once a second unless it was told otherwise. What
// happened between two looks is shown at the second.
package moments
