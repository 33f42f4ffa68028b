package across

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"satingrid/satin/program/runs"
	"satingrid/satin/ticket"
)

// What is taken of what another says; more is cut off.
const (
	wordMax  = 256 // bytes of a name, or of a run's input
	textMax  = 2 << 10
	addrsMax = 1 << 10 // of a grid: those of some hundred members, who lead to the others
	gridsMax = 4       // that a grid knows of
	listMax  = 8 << 10
)

// Understand reads a question.
func Understand(text []byte) (q Question, err error) {
	if err := json.Unmarshal(text, &q); err != nil || q.Schema != Schema {
		return q, fmt.Errorf("the question is not understood: one of schema %d is expected", Schema)
	}
	q.Run = word(q.Run)
	if q.Grid != nil {
		q.Grid.clean()
	}
	if q.Ask == AskSuccessor && (q.Grid == nil || q.Grid.Build == "" || len(q.Grid.Addrs) == 0) {
		return q, fmt.Errorf("a successor has a build and addresses")
	}
	return q, nil
}

// Text is an answer as it is sent.
func (a Response) Text() []byte {
	a.Schema = Schema
	return encode(a)
}

// read reads an answer. Its text is as the other host's application made it, for who asked for
// that.
func read(text []byte) (a Response, err error) {
	if err := json.Unmarshal(text, &a); err != nil || a.Schema != Schema {
		return a, fmt.Errorf("its answer is not understood: one of schema %d is expected", Schema)
	}
	a.Error = printable(a.Error, textMax)
	if a.Portrait != nil {
		a.Name = word(a.Name)
		a.Portrait.Grid.clean()
		a.Next, a.Previous = cleaned(a.Next), cleaned(a.Previous)
	}
	if a.Peers != nil {
		list := a.Peers.Peers
		list = list[:min(len(list), listMax)]
		for i := range list {
			p := &list[i]
			p.Name, p.ID, p.Site, p.State, p.Build = word(p.Name), word(p.ID), word(p.Site), word(p.State), word(p.Build)
			p.Addrs = addresses(p.Addrs)
		}
		a.Peers.Peers = list
	}
	if a.Jobs != nil {
		a.Jobs.Grid, a.Missing = word(a.Jobs.Grid), printable(a.Missing, textMax)
		list := a.Jobs.Runs
		list = list[:min(len(list), listMax)]
		for i := range list {
			list[i].clean()
		}
		a.Jobs.Runs = list
	}
	if a.Printed != nil {
		a.Says = printable(a.Says, textMax)
	}
	if a.Activity != nil {
		a.Activity.clean()
	}
	if s := a.Story; s != nil {
		s.By, s.Run = word(s.By), word(s.Run)
		s.Lines = slices.Clip(s.Lines[:min(len(s.Lines), listMax)])
		for i := range s.Lines {
			cleanLine(&s.Lines[i])
		}
	}
	return a, nil
}

func (j *RunLine) clean() {
	for _, s := range []*string{&j.ID, &j.Key, &j.App, &j.Input, &j.Task, &j.State, &j.Who, &j.Master, &j.Build} {
		*s = word(*s)
	}
}

func cleanLine(h *runs.Happening) {
	for _, s := range []*string{&h.Run, &h.Event, &h.Peer, &h.Site, &h.How} {
		*s = word(*s)
	}
	h.What = printable(h.What, textMax)
}

func (g *Grid) clean() {
	g.Build, g.Made, g.Addrs = word(g.Build), word(g.Made), addresses(g.Addrs)
}

func cleaned(grids []Grid) []Grid {
	grids = grids[:min(len(grids), gridsMax)]
	for i := range grids {
		grids[i].clean()
	}
	return grids
}

// addresses are those of some that can be addresses.
func addresses(some []string) []string {
	good := []string{}
	for _, a := range some {
		if len(good) < addrsMax && ticket.IsAddr(a) {
			good = append(good, a)
		}
	}
	return good
}

func word(s string) string { return printable(s, wordMax) }

// printable is a text that fits, and does nothing to a terminal.
func printable(s string, most int) string {
	s = strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || r == utf8.RuneError {
			return '?'
		}
		return r
	}, s[:min(len(s), most)])
	return s
}
