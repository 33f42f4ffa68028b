package scenario

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"satingrid/satin/program/chaos"
	"satingrid/satin/program/local"
	"satingrid/satin/program/wording"
)

// Limits of traces.
const (
	tracesMax    = 8        // files of one scenario
	traceBytes   = 16 << 20 // of one that is lines
	happeningMax = 100_000  // in all
	latencyMax   = time.Minute
)

// Files opens what a scenario names.
type Files func(name string) (io.ReadCloser, error)

// latency is the verb of what no chaos script has.
const latency chaos.Verb = "latency"

// traced are the verbs of a trace.
var traced = []chaos.Verb{chaos.Join, chaos.Leave, chaos.Kill, chaos.Stop, chaos.Cont, latency}

// occurrence is a line of a trace.
type occurrence struct {
	at      time.Duration
	verb    chaos.Verb
	who     chaos.Whom // of Join: a site
	count   int        // of peers; where one is named 1
	workers int        // of each that joins; 0: as many as those of the site
	// from when it is told to leave until it is gone; negative: it has the time that it needs
	notice time.Duration
	way    local.Cut // of latency
	delay  time.Duration
	file   string
	line   int // 0: it is of a recording
}

// where is the place of a line, for a person.
func (h *occurrence) where() string {
	if h.line == 0 {
		return fmt.Sprintf("%s: at %v", h.file, h.at)
	}
	return fmt.Sprintf("%s: line %d", h.file, h.line)
}

// annals is what has happened elsewhere.
type annals struct {
	sites []local.Site // of a recording, with whom was there at first
	all   []occurrence
}

// library has the traces that the variants of a scenario name, each of which is read once.
type library struct {
	open  Files
	known map[string]*annals
	wrong map[string]error
}

func newLibrary(open Files) *library {
	return &library{open: open, known: map[string]*annals{}, wrong: map[string]error{}}
}

// of is the trace in a file.
func (l *library) of(name string) (*annals, error) {
	if l.known[name] == nil && l.wrong[name] == nil {
		l.known[name], l.wrong[name] = l.readFile(name)
	}
	return l.known[name], l.wrong[name]
}

func (l *library) readFile(name string) (t *annals, err error) {
	if l.open == nil {
		return nil, errors.New("no files are read here")
	}
	f, err := l.open(name)
	if err != nil {
		return nil, wording.Bare(err)
	}
	defer f.Close()
	first := make([]byte, 2)
	n, err := io.ReadFull(f, first)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fmt.Errorf("%s: %w", name, wording.Bare(err))
	}
	all := io.MultiReader(bytes.NewReader(first[:n]), f)
	if string(first) == "\x1f\x8b" {
		t, err = ofRecording(all)
	} else {
		t, err = ofLines(all)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for n := range t.all {
		t.all[n].file = name
	}
	return t, nil
}

// ofLines reads a trace that is lines.
func ofLines(from io.Reader) (*annals, error) {
	bounded := &io.LimitedReader{R: from, N: traceBytes + 1}
	in := csv.NewReader(bounded)
	in.Comment, in.FieldsPerRecord, in.TrimLeadingSpace, in.ReuseRecord = '#', -1, true, true
	t := &annals{}
	for {
		cells, err := in.Read()
		var bad *csv.ParseError
		switch {
		case bounded.N == 0:
			return nil, fmt.Errorf("a trace has at most %d bytes", traceBytes)
		case errors.Is(err, io.EOF) && len(t.all) == 0:
			return nil, errors.New("there is no line such as 60.5,kill,b,1")
		case errors.Is(err, io.EOF):
			return t, nil
		case errors.As(err, &bad):
			return nil, fmt.Errorf("line %d: %w", bad.Line, bad.Err)
		case err != nil:
			return nil, wording.Bare(err)
		}
		line, _ := in.FieldPos(0)
		if len(t.all) == 0 && line == 1 && cells[0] == "seconds" {
			continue // what the columns are
		}
		h, err := readLine(cells)
		if err == nil && len(t.all) == happeningMax {
			err = fmt.Errorf("more than %d lines", happeningMax)
		}
		if err != nil {
			return nil, fmt.Errorf("line %d: %w", line, err)
		}
		h.line = line
		t.all = append(t.all, h)
	}
}

// readLine reads seconds, what, who, count and notice.
func readLine(cells []string) (h occurrence, err error) {
	if len(cells) < 3 || len(cells) > 5 {
		return h, errors.New("seconds, what, who and maybe a count and a notice are expected, as in 60.5,leave,b,2,30")
	}
	more := [2]string{}
	for n := range cells {
		if cells[n] = strings.TrimSpace(cells[n]); n > 2 {
			more[n-3] = cells[n]
		}
	}
	if h.at, err = readSeconds(cells[0], timeMax); err != nil {
		return h, err
	}
	if h.verb = chaos.Verb(cells[1]); !slices.Contains(traced, h.verb) {
		return h, fmt.Errorf("%q: one of join, leave, kill, stop, cont and latency is expected", cells[1])
	}
	h.notice = -1
	switch {
	case more[1] == "":
	case h.verb != chaos.Leave:
		return h, fmt.Errorf("%s has no notice", h.verb)
	default:
		if h.notice, err = readSeconds(more[1], timeMax); err != nil {
			return h, err
		}
	}
	// a copy, since what a cell is part of is read anew
	switch who := strings.Clone(cells[2]); h.verb {
	case latency:
		return h, h.readLatency(who, more[0])
	case chaos.Join:
		return h, h.readJoin(who, more[0])
	default:
		return h, h.readWhom(who, more[0])
	}
}

// readSeconds reads a number of seconds.
func readSeconds(text string, most time.Duration) (time.Duration, error) {
	s, err := strconv.ParseFloat(text, 64)
	if err != nil || !(s >= 0 && s <= most.Seconds()) {
		return 0, fmt.Errorf("%q: a number of seconds from 0 to %v is expected", text, most.Seconds())
	}
	return time.Duration(math.Round(s * float64(time.Second))), nil
}

func (h *occurrence) readJoin(site, count string) (err error) {
	if err := local.CheckName(site); err != nil {
		return err
	}
	h.who.Site = site
	peers, workers, each := strings.Cut(cmp.Or(count, "1"), "x")
	if h.count, err = strconv.Atoi(peers); err != nil || h.count < 1 || h.count > PeersMax {
		return fmt.Errorf("%q: a number of peers from 1 to %d is expected, as in 2, or 2x4 with workers", count, PeersMax)
	}
	if !each {
		return nil
	}
	if h.workers, err = strconv.Atoi(workers); err != nil || h.workers < 1 || h.workers > local.WorkersMax {
		return fmt.Errorf("%q: a number of workers from 1 to %d is expected after the x, as in 2x4", count, local.WorkersMax)
	}
	return nil
}

func (h *occurrence) readWhom(who, count string) (err error) {
	if h.who, err = chaos.ParseWhom(who); err != nil {
		return err
	}
	if h.who.Any || h.who.Master {
		return fmt.Errorf("%q: a site or a peer of one is expected, such as b or b/1", who)
	}
	h.count, err = strconv.Atoi(cmp.Or(count, "1"))
	switch {
	case err != nil || h.count < 1 || h.count > PeersMax:
		return fmt.Errorf("%q: a number of peers from 1 to %d is expected", count, PeersMax)
	case h.who.Number > 0 && h.count > 1:
		return fmt.Errorf("%q: %s is one peer", count, who)
	}
	return nil
}

func (h *occurrence) readLatency(way, milliseconds string) error {
	h.way.From, h.way.To, h.way.Both = strings.Cut(way, "|")
	one := false
	if !h.way.Both {
		h.way.From, h.way.To, one = strings.Cut(way, ">")
	}
	if !h.way.Both && !one || h.way.From == h.way.To {
		return fmt.Errorf("%q: two sites are expected, as in a|b, or a>b for one way", way)
	}
	x, err := strconv.ParseFloat(milliseconds, 64)
	if most := latencyMax.Seconds() * 1000; err != nil || !(x >= 0 && x <= most) {
		return fmt.Errorf("%q: milliseconds from 0 to %v are expected", milliseconds, most)
	}
	h.delay = time.Duration(math.Round(x * float64(time.Millisecond)))
	return nil
}

// readTraces reads what has happened elsewhere. Sites are those of the first recording.
func (g *setting) readTraces(f *fields, from *library) (sites []local.Site) {
	names := f.words("trace")
	if len(names) > tracesMax {
		f.wrong(f.get("trace"), "trace", "more than %d files", tracesMax)
		return nil
	}
	for _, name := range names {
		t, err := from.of(name)
		if err != nil {
			f.wrong(f.get("trace"), "trace", "%v", err)
			return nil
		}
		if g.trace = append(g.trace, t.all...); len(g.trace) > happeningMax {
			f.wrong(f.get("trace"), "trace", "more than %d lines in all", happeningMax)
			return nil
		}
		if sites == nil {
			sites = t.sites
		}
	}
	slices.SortStableFunc(g.trace, func(a, b occurrence) int { return cmp.Compare(a.at, b.at) })
	return sites
}

// checkTraces sees that all sites of traces are there.
func (g *setting) checkTraces(f *fields) {
	for n := range g.trace {
		h := &g.trace[n]
		for _, site := range []string{h.who.Site, h.way.From, h.way.To} {
			if site != "" && !g.hasSite(site) {
				f.wrong(f.get("trace"), "trace", "%s: there is no site %q; where others come to it, sites has %s: {peers: 0}", h.where(), site, site)
				return
			}
		}
	}
}
