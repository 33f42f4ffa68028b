package store

import (
	"bufio"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"

	"satingrid/satin/atomicfile"
)

const (
	// runEnding is how the name of a run's file ends
	runEnding = ".run"

	// copyHeads and copyBytes are how much of a file that is written anew is in memory at once,
	// if no value is longer
	copyHeads = 1024
	copyBytes = 1 << 20
)

// runFile is the file of one run: what the store knows of it without looking.
type runFile struct {
	preface
	lifetime
	path string
	size int64 // of preface and batches; 0: there is no file yet

	tidied    int64 // the size when it was last looked through for what is no longer said
	best      bool
	unsettled bool // what failed to be written is behind the batches
	held      bool // this process has it on: see [Lifetime]
}

// fileName names the file of a run and a build. Two builds of one program never share one.
func fileName(run Key, build string) string {
	return run.String() + "-" + digestOf([]byte(build)).String()[:16] + runEnding
}

// isRunFile tells whether a name may be one that fileName makes, and isUnfinished whether it is
// that of a file which a process left that died.
func isRunFile(name string) bool {
	return len(name) == len(fileName(Key{}, "")) && strings.HasSuffix(name, runEnding)
}

func isUnfinished(name string) bool {
	before, _, ok := strings.Cut(name, runEnding+"-")
	return ok && strings.HasPrefix(before, ".") && isRunFile(before[1:]+runEnding)
}

// know takes over what a file was found to say.
func (r *runFile) know(c *contents, size int64) {
	r.preface, r.lifetime, r.size, r.tidied = c.preface, c.lifetime, size, size
	r.best = c.slots[kindBest].there()
}

// look reads the file but for its values. It must be closed.
func (r *runFile) look() (*os.File, *contents, error) {
	f, err := os.Open(r.path)
	if err != nil {
		return nil, nil, err
	}
	c, ok := scan(f, r.size)
	if !ok {
		f.Close()
		return nil, nil, errForeign
	}
	return f, c, nil
}

// errForeign says that a file is no run's, or that of another run.
var errForeign = errors.New("it is no file of this store")

// errOtherForm says that a file is a run's, but of another version of this package.
var errOtherForm = errors.New("another version has written it")

// openRun reads a file but for its values that is not to be trusted by its name. It must be closed.
func openRun(path string) (*os.File, *runFile, *contents, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, nil, err
	}
	info, err := f.Stat()
	if err == nil {
		c, ok := scan(f, info.Size())
		if ok && filepath.Base(path) == fileName(c.run, c.build) {
			r := &runFile{path: path}
			r.know(c, info.Size())
			return f, r, c, nil
		}
		if err = errForeign; isOtherForm(f, info.Size()) {
			err = errOtherForm
		}
	}
	f.Close()
	return nil, nil, nil, err
}

// cut takes away what is behind the last batch.
func (r *runFile) cut() error {
	f, err := os.OpenFile(r.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	return errors.Join(f.Truncate(r.size), f.Sync(), f.Close())
}

// write appends a batch. It is on the disk when this returns without an error; else the file is as
// it was before.
func (r *runFile) write(t lifetime, values []value) error {
	if r.size == 0 {
		return r.create(t, values)
	}
	if r.unsettled {
		if err := r.cut(); err != nil {
			return err
		}
		r.unsettled = false
	}
	f, err := os.OpenFile(r.path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(io.NewOffsetWriter(f, r.size))
	if err := errors.Join(writeBatch(w, r.preface, r.size, t, values), w.Flush(), f.Sync(), f.Close()); err != nil {
		r.unsettled = r.cut() != nil
		return err
	}
	r.note(t, values, r.size)
	return nil
}

// note knows a batch that was written.
func (r *runFile) note(t lifetime, values []value, at int64) {
	r.lifetime, r.size = t, at+batchSize(values)
	for _, v := range values {
		if v.kind == kindBest {
			r.best = !v.gone
		}
	}
}

// create writes the file with its first batch: a file is there with that, or not at all.
func (r *runFile) create(t lifetime, values []value) error {
	r.salt = rand.Uint64()
	f, err := atomicfile.Create(r.path, atomicfile.Private)
	if err != nil {
		return err
	}
	w := bufio.NewWriter(f)
	_, err = w.Write(r.preface.append(nil))
	if err := errors.Join(err, writeBatch(w, r.preface, r.preface.size(), t, values), w.Flush()); err != nil {
		f.Discard()
		return err
	}
	if err := f.Replace(); err != nil {
		return err
	}
	r.note(t, values, r.preface.size())
	r.tidied = r.size
	return nil
}

// anew writes what the contents now are to a file that has not its place yet, and tells how many
// values were wrong and are left out. It closes the old file.
func (r *runFile) anew(old *os.File, c *contents) (f *atomicfile.File, wrong int, err error) {
	if f, err = atomicfile.Create(r.path, atomicfile.Private); err != nil {
		old.Close()
		return nil, 0, err
	}
	w := bufio.NewWriter(f)
	wrong, err = r.copyTo(w, old, c)
	if err := errors.Join(err, w.Flush(), old.Close()); err != nil {
		f.Discard()
		return nil, wrong, err
	}
	return f, wrong, nil
}

// replace gives a file that was written anew its place.
func (r *runFile) replace(anew *atomicfile.File) error {
	if err := anew.Replace(); err != nil {
		return err
	}
	f, now, _, err := openRun(r.path)
	if err != nil {
		return err
	}
	now.held = r.held
	*r = *now
	return f.Close()
}

// copyTo writes what a new file shall have, whose batches are not those of the old one.
func (r *runFile) copyTo(w io.Writer, old io.ReaderAt, c *contents) (wrong int, err error) {
	p := c.preface
	p.salt = rand.Uint64()
	if _, err := w.Write(p.append(nil)); err != nil {
		return 0, err
	}
	var values []value
	bytes, place := 0, p.size()
	for _, i := range c.together() {
		if !c.holds(i) {
			continue // it went with the best, which came first and was wrong
		}
		b, ok := i.read(old, r.size)
		if !ok {
			c.without(i)
			wrong++
			continue
		}
		values = append(values, value{i.head, b})
		if bytes += len(b); len(values) == copyHeads || bytes >= copyBytes {
			if err := writeBatch(w, p, place, c.lifetime, values); err != nil {
				return wrong, err
			}
			place += batchSize(values)
			values, bytes = nil, 0
		}
	}
	return wrong, writeBatch(w, p, place, c.lifetime, values)
}

func (r *runFile) name() string { return filepath.Base(r.path) }

// until is when the run has been kept for long enough.
func (r *runFile) until() time.Time { return time.Unix(0, r.lifetime.until()) }
