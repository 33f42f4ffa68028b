package runs

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"satingrid/satin"
	"satingrid/satin/atomicfile"
)

const (
	// keptRuns bounds the stories that are kept in files, and keptLines what a file begins
	// with; it grows to twice that. In all it is some megabytes at most, mostly kilobytes.
	keptRuns  = 64
	keptLines = 512
	// keptBytes is what is read of one file.
	keptBytes = 1 << 20
	// comesBackMax is how long after a start a run may be heard of again.
	comesBackMax = time.Minute
	// storyEnding is of the files' names.
	storyEnding = ".jsonl"
)

// Keep has stories outlive this process: those that a folder has are read now, and Follow writes
// there, a second later at most. Nothing but stories is lost where that cannot be read or written.
// It is called once, before Follow.
func (c *Chronicle) Keep(folder string) { c.keep(folder, time.Now()) }

func (c *Chronicle) keep(folder string, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.folder = folder
	// the pattern is sound
	files, _ := filepath.Glob(filepath.Join(folder, "*"+storyEnding))
	for _, file := range files {
		if i, err := os.Stat(file); err == nil && now.Sub(i.ModTime()) > satin.KeepMax {
			os.Remove(file) // as no run is kept longer
			continue
		}
		s := readStory(file)
		if s == nil {
			continue
		}
		if s.read = now; !s.over {
			s.enter(now, Happening{Event: "restarted", What: "the node that tells this was started again"})
		}
		c.enterEarly(s)
		c.stories = append(c.stories, s)
	}
	slices.SortStableFunc(c.stories, func(a, b *story) int { return a.lines[0].At.Compare(b.lines[0].At) })
}

// readStory is the story that a file has; nil: it has none.
func readStory(file string) *story {
	f, err := os.Open(file)
	if err != nil {
		return nil
	}
	defer f.Close()
	text, err := io.ReadAll(io.LimitReader(f, keptBytes))
	id, bad := hex.DecodeString(strings.TrimSuffix(filepath.Base(file), storyEnding))
	s := new(story)
	if err != nil || bad != nil || copy(s.run.ID[:], id) != len(s.run.ID) {
		return nil
	}
	for line := range bytes.Lines(text) {
		var h Happening
		if json.Unmarshal(line, &h) != nil || h.Run != s.run.ID.String() {
			text = nil // what a loss of power, or a full disk, has left of one
			continue
		}
		s.lines = append(s.lines, h)
		s.heard(h)
	}
	if len(s.lines) == 0 {
		return nil
	}
	if bytes.HasSuffix(text, []byte("\n")) {
		s.written = len(s.lines)
	} // else all is written again: the next line would go on with half a one
	return s
}

// heard has a line stand for what was known of the run when it was entered.
func (s *story) heard(h Happening) {
	switch h.Event {
	case "submitted":
		s.run.Label = strings.TrimPrefix(h.What, "submitted: ")
	case "master":
		s.run.Master, s.run.State = h.Peer, satin.RunComputing
	case "waiting":
		s.run.State = satin.RunWaiting
	case "again":
		s.run.State = satin.RunComputing
	case "answered":
		s.run.State = satin.RunAnswered
	case "failed":
		s.run.State = satin.RunFailed
	case "ended":
		s.ended = true
	}
	s.over = s.ended || s.run.State.HasAnswer()
}

// mayComeBack tells whether it is too soon after a start to say that a run is not on any more.
func (s *story) mayComeBack(now time.Time) bool {
	return !s.read.IsZero() && now.Sub(s.read) < comesBackMax
}

// news is what is to be done to the file of a story.
type news struct {
	run   string
	lines []Happening // none: it goes
	whole bool        // it has nothing else afterwards
}

// write writes what is new. Lines that could not be written are missing after the next start.
func (c *Chronicle) write() {
	folder, all := c.takeNews()
	for _, n := range all {
		n.write(filepath.Join(folder, n.run+storyEnding))
	}
}

func (n news) write(file string) {
	var text bytes.Buffer
	for _, h := range n.lines {
		line, err := json.Marshal(h)
		if err != nil {
			panic("runs: BUG: a line has no JSON: " + err.Error())
		}
		text.Write(append(line, '\n'))
	}
	how := os.O_APPEND
	switch {
	case len(n.lines) == 0:
		os.Remove(file)
		return
	case n.whole:
		how = os.O_CREATE | os.O_EXCL
		os.MkdirAll(filepath.Dir(file), 0o700) // where that fails so does what follows
	}
	f, err := os.OpenFile(file, os.O_WRONLY|how, atomicfile.Private)
	switch {
	case err == nil:
		// Not so that it outlasts a loss of power, which costs some milliseconds for each
		// run: then lines may be missing, or half there.
		f.Write(text.Bytes())
		f.Close()
	case n.whole && errors.Is(err, fs.ErrExist):
		// it is long, or damaged: what it tells is not lost meanwhile
		atomicfile.Replace(file, atomicfile.Private, text.Bytes())
	}
}

// takeNews is what no file has yet of the latest stories. Others have no file, and neither have
// those of runs that have come and gone meanwhile.
func (c *Chronicle) takeNews() (folder string, all []news) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.folder == "" {
		c.gone = nil
		return "", nil
	}
	for _, id := range c.gone {
		all = append(all, news{run: id})
	}
	c.gone = nil
	for i, s := range c.stories {
		id := s.run.ID.String()
		switch whole := s.written == 0 || s.written+s.fresh > 2*keptLines; {
		case i < len(c.stories)-keptRuns:
			if s.written > 0 {
				all = append(all, news{run: id})
			}
			s.written, s.fresh = 0, len(s.lines)
		case s.written == 0 && s.ended:
		case s.fresh > 0 && whole:
			s.written, s.fresh = min(len(s.lines), keptLines), 0
			all = append(all, news{id, slices.Clone(s.lines[len(s.lines)-s.written:]), true})
		case s.fresh > 0:
			all = append(all, news{id, slices.Clone(s.lines[len(s.lines)-s.fresh:]), false})
			s.written, s.fresh = s.written+s.fresh, 0
		}
	}
	return c.folder, all
}
