// Package runs is what the runs of a grid are to people: what they call one ([Find], [Last]), what
// it is and of which application ([Label]), what has happened to it ([Chronicle]), and which ones
// they have submitted ([Submitted]).
//
// # Files
//
// A [Submitted] keeps a file for each run in a folder of the state folder, the latest 64: processes
// that submit at the same time need no lock. A node keeps the stories of the latest 64 runs in
// another, a file each, for as long as a run may be kept at most ([Chronicle.Keep]).
//
// # Limitations
//
// A Chronicle has what its host has heard: what came and went before it began, while its node was
// not there, or between two looks, is not in it.
package runs
