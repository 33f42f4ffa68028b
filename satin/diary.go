package satin

import (
	"errors"
	"os"
	"path/filepath"
)

// diary is a file of the state folder that is written beside the loop, whose heartbeats must not wait for a disk. What
// changes while it is written is written after that, once.
type diary struct {
	content func() (write func() error) // takes what there is to write, on the loop
	lost    string                      // what to say when it cannot be written
	due     bool                        // there is news
	writing bool
}

// openDiaries says what is kept, and how.
func (l *loop) openDiaries() {
	l.barsDiary = diary{content: l.barsNow, lost: "the list of barred peers cannot be kept; the grid still has it"}
	l.addressDiary = diary{content: l.addressesNow, lost: "where the grid's hosts are cannot be kept; the next start needs a ticket"}
}

// closeDiaries has the last news written, at the end of the loop.
func (l *loop) closeDiaries() {
	if l.barsDiary.due {
		l.write(&l.barsDiary)
	}
	if l.keepsAddresses() {
		l.write(&l.addressDiary)
	}
}

// note has the news written, after all events that are queued: of these many may be of the same kind.
func (l *loop) note(d *diary) {
	if d.due = true; d.writing {
		return
	}
	d.writing = true
	l.post(func() { l.write(d) })
}

// write has what there is written.
func (l *loop) write(d *diary) {
	d.due = false
	write := d.content()
	l.disk.give(&l.crew, func() {
		if err := write(); err != nil {
			l.conf.log().Warn(d.lost, "error", err)
		}
		l.post(func() {
			if d.writing = false; d.due {
				l.note(d)
			}
		})
	})
}

// replaceFile replaces a file, which only its owner can read then. It appears whole or not at all.
func replaceFile(name string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+"-") // CreateTemp gives 0600
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), name)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}
