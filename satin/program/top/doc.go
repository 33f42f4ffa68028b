// Package top is the full screen of the verb top: what a grid does, every second, or what a
// recording has of one.
//
// A [Board] is what stands there. It is a pure function of what was seen of the grid, of the size
// of the screen and of the keys that were typed, and knows no terminal: tests read it as text.
// [Run] carries it to a terminal, by tcell, which is what the widgets of tview are drawn by.
// Bubble Tea is not used: merely linked into a program, its version 1 asks the terminal for its
// colours at each start of any verb, and reads what was typed meanwhile.
package top
