// Package satintest runs a whole grid in one test process, for those who write applications.
//
// [Start] makes a [Grid]: several sites of one-worker peers and a client, over a [Network] in memory. Submit to
// Grid.Client, add and kill peers while the run goes on, cut sites apart, and compare the answer with
// satin.Run on a nil peer.
//
// # Limitations
//
// All peers share this process's memory and cores, so it shows that answers are right, and nothing about
// speed. A killed peer's workers are told to stop; a real crash does not wait for them.
package satintest
