package control

import (
	"testing"

	"satingrid/membership"
)

// TestTheLoopWaitsForNoDisk: while the disk does not answer, bars change and change again; in the
// end the last word is in the file.
func TestTheLoopWaitsForNoDisk(t *testing.T) {
	folder := t.TempDir()
	l := &Loop{conf: Config{State: folder}, wake: make(chan struct{}, 1), bars: map[membership.PeerID]membership.Bar{}}
	l.openDiaries()
	answers, asked := make(chan struct{}), make(chan struct{})
	l.disk.Give(&l.goroutines, func() { close(asked); <-answers })
	<-asked
	for n := range uint64(100) {
		l.bars["x"] = membership.Bar{ID: "x", Counter: n, Barred: n%2 == 0}
		l.keepBars()
		l.doPosted()
	}
	l.disk.mu.Lock()
	if n := len(l.disk.queue); n > 1 {
		t.Errorf("%d versions of one file wait to be written", n)
	}
	l.disk.mu.Unlock()
	close(answers)
	for l.barsDiary.writing {
		<-l.wake
		l.doPosted()
	}
	l.goroutines.Wait()
	bars, err := loadBars(folder)
	if err != nil || len(bars) != 1 || bars[0] != l.bars["x"] {
		t.Errorf("%v is kept of %v, %v", bars, l.bars, err)
	}
}
