package read

import "fmt"

// ignoredMax bounds what is said of one scene: more would not be read.
const ignoredMax = 20

// ignored is what a scene has that its picture does not show, a line for each kind of thing.
type ignored struct {
	said  map[string]bool
	lines []string
	more  int // beyond ignoredMax
}

// add says what is ignored in a file, and what follows from it, once for each what.
func (g *ignored) add(file string, line int, what string) {
	key := file + "\x00" + what
	if g.said[key] {
		return
	}
	if len(g.lines) >= ignoredMax {
		g.more++
		return
	}
	if g.said == nil {
		g.said = map[string]bool{}
	}
	g.said[key] = true
	g.lines = append(g.lines, (&Error{File: file, Line: line, What: what}).Error())
}

// all is the lines for a person.
func (g *ignored) all(file string) []string {
	if g.more == 0 {
		return g.lines
	}
	return append(g.lines[:len(g.lines):len(g.lines)], fmt.Sprintf("%s: more is ignored, %d times", file, g.more))
}
