package control

import (
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// TestEndsAreRead as they were written, older by as much as they lay there, and none is younger
// than nothing where a clock was set back. Of a file that somebody has spoilt the lines before that
// hold.
func TestEndsAreRead(t *testing.T) {
	p, by := newPosted(), new(sync.WaitGroup)
	f := aFolder(t, &p, by, slog.New(slog.DiscardHandler))
	one := func(n steal.Nonce, seconds uint32, how peer.Epitaph) peer.Tombstone {
		return peer.Tombstone{Submission: steal.Submission{Submitter: "u", Nonce: n, Keeps: true}, Seconds: seconds, How: how}
	}
	over := 0
	f.KeepEnds([]peer.Tombstone{one(1, 7200, peer.EndCancelled), one(1<<63, 0, peer.EndWithdrawn)}, func(bool) { over++ })
	by.Wait()
	if p.doAll(); over != 1 {
		t.Errorf("it was heard %d times that they are written", over)
	}
	now := stopped{}.Date()
	for about, c := range map[string]struct {
		at   time.Time
		ages [2]uint32
	}{
		"at once":           {now, [2]uint32{7200, 0}},
		"an hour later":     {now.Add(time.Hour), [2]uint32{10800, 3600}},
		"an hour before":    {now.Add(-time.Hour), [2]uint32{3600, 0}},
		"a long time later": {now.AddDate(2000, 0, 0), [2]uint32{604800, 604800}},
	} {
		all, err := loadEnds(f.name, c.at)
		if want := []peer.Tombstone{one(1, c.ages[0], peer.EndCancelled), one(1<<63, c.ages[1], peer.EndWithdrawn)}; err != nil || !slices.Equal(all, want) {
			t.Errorf("%s they are %v, want %v: %v", about, all, want, err)
		}
	}
	file := filepath.Join(f.name, endsFile)
	text, _ := os.ReadFile(file)
	if err := os.WriteFile(file, append(text, "no JSON\n"...), 0o600); err != nil {
		t.Fatal(err)
	}
	if all, err := loadEnds(f.name, now); len(all) != 2 || err == nil || !strings.Contains(err.Error(), "ended:3:") {
		t.Errorf("of a spoilt file %d are read: %v", len(all), err)
	}
	for _, none := range []string{"", t.TempDir()} {
		if all, err := loadEnds(none, now); len(all) > 0 || err != nil {
			t.Errorf("in %q are %v: %v", none, all, err)
		}
	}
}
