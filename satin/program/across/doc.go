// Package across is what the grids of two builds say to each other. They have one secret and
// compute apart: each lets in its own build alone, so that no answer mixes two. But a host of
// either may visit one of the other (satin.Visit), and ask it a [Question], which gets a
// [Response].
//
// Both are JSON in the form that docs/formats.md describes, and that no build may change: fields
// and questions may be added, those that are there keep their names and what they mean. A host
// ignores the fields that it does not know, and answers questions that it does not know with an
// error.
//
// # Grids that know of each other
//
// A grid is told of its successors: each node of another build that was started with --next visits
// the members of the old grid, again and again, and says which build it is of and where that
// build's members are. Whoever is told keeps it for a while, in [Neighbours], and tells whoever
// asks. Nobody passes it on: those who declare a successor see to it that all know. So
//
//   - whoever has a ticket to the one grid finds the other: [Visitor.Grids];
//   - two that founded the grid of the new build at the same moment learn of each other from the
//     members of the old, and become one grid;
//   - a declaration ends with those who make it.
//
// A grid may have several successors, and one that has a successor of its own. They are told apart
// by their builds, and none is better than another.
//
// # Limitations
//
// Whoever visits has the secret, and is believed, as members are: what is checked is that it can be
// printed and fits into memory. Visits go to hosts' own addresses and not through relays: a node
// behind a NAT can visit and cannot be visited.
package across
