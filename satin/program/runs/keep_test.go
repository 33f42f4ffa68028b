package runs

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
)

// keeper is a chronicle as a node has it, which is started again and again with one folder.
type keeper struct {
	*Chronicle
	t      *testing.T
	folder string
	at     time.Time
}

func newKeeper(t *testing.T) *keeper {
	k := &keeper{t: t, folder: filepath.Join(t.TempDir(), "stories"), at: time.Now().UTC()}
	k.starts()
	return k
}

func (k *keeper) starts() {
	k.Chronicle = new(Chronicle)
	k.keep(k.folder, k.at)
}

// looks is a second later.
func (k *keeper) looks(all ...satin.RunStats) {
	k.at = k.at.Add(time.Second)
	k.look(all, k.at)
	k.write()
}

func (k *keeper) files() []string {
	names, err := filepath.Glob(filepath.Join(k.folder, "*"))
	if err != nil {
		k.t.Fatal(err)
	}
	return names
}

// TestStoryAcrossARestart: what a node had heard of a run before it was started again is there, and
// goes on with what has changed.
func TestStoryAcrossARestart(t *testing.T) {
	k := newKeeper(t)
	r := numbered("\xab")[0]
	r.Label, r.State, r.Master, r.Share = "fib 90", satin.RunComputing, "a/1", 100
	k.looks(r)
	k.looks(r)
	begun := []string{"submitted: fib 90", "a/1 is master"}
	k.starts()
	again := append(begun, "the node that tells this was started again")
	k.looks() // it has not heard of the run yet
	if lines, s := told(t, k.Chronicle, "ab", 0); !slices.Equal(lines, again) || s.Over {
		t.Errorf("after a restart: %q, over: %v", lines, s.Over)
	}
	k.looks(r)
	if lines, _ := told(t, k.Chronicle, "ab", 0); !slices.Equal(lines, again) {
		t.Errorf("nothing has happened, and it is told %q", lines)
	}
	r.State, r.Keep, r.Kept = satin.RunAnswered, time.Hour, time.Hour
	k.looks(r)
	k.starts()
	k.looks(r)
	answered := append(again, "answered")
	if lines, s := told(t, k.Chronicle, "ab", 0); !slices.Equal(lines, answered) || !s.Over {
		t.Errorf("after its answer: %q, over: %v", lines, s.Over)
	}
	// A run that is not heard of again has ended meanwhile.
	k.starts()
	k.at = k.at.Add(comesBackMax)
	k.looks()
	k.starts()
	if lines, s := told(t, k.Chronicle, "ab", 0); len(lines) != len(answered)+1 || !strings.HasPrefix(lines[len(answered)], "it is not on any more") || !s.Over {
		t.Errorf("at last: %q, over: %v", lines, s.Over)
	}
	k.at = k.at.Add(satin.KeepMax + time.Hour)
	k.starts()
	if files := k.files(); len(files) > 0 {
		t.Errorf("there are still %q", files)
	}
}

// TestResumedBeforeItIsRead: a peer tells that a run goes on with what it had stored as soon as it
// is in its grid, which may be before its stories are read.
func TestResumedBeforeItIsRead(t *testing.T) {
	k := newKeeper(t)
	r := numbered("\xab")[0]
	r.State, r.Share = satin.RunComputing, 1
	k.looks(r)
	k.Chronicle = new(Chronicle)
	k.event(satin.Event{Kind: satin.EventResumed, Peer: "a/1", Run: r.ID, Results: 2, Saved: time.Second}, k.at)
	k.keep(k.folder, k.at)
	k.looks(r)
	want := []string{
		"submitted: t.Task", "the node that tells this was started again", "a/1 goes on with what it had stored: 2 results, of 1.0 s of work",
	}
	if lines, _ := told(t, k.Chronicle, "ab", 0); !slices.Equal(lines, want) || len(k.early) > 0 {
		t.Errorf("%q; %v are early", lines, k.early)
	}
}

// TestKeptStoriesAreBounded: in how many there are, and in how long each is. A run that has come
// and gone between two looks has none.
func TestKeptStoriesAreBounded(t *testing.T) {
	k := newKeeper(t)
	brief := numbered("\x01")[0]
	k.look([]satin.RunStats{brief}, k.at)
	k.event(satin.Event{Kind: satin.EventEnded, Run: brief.ID, How: "answered"}, k.at)
	k.looks()
	if files := k.files(); len(files) > 0 {
		t.Errorf("a run that is over has %q", files)
	}
	var all []satin.RunStats
	for n := range 2 * keptRuns {
		r := numbered(fmt.Sprintf("\x02%c", n))[0]
		r.State, r.Share = satin.RunComputing, 1
		all = append(all, r)
		k.looks(all...)
	}
	if files := k.files(); len(files) != keptRuns {
		t.Errorf("%d stories are kept", len(files))
	}
	last := &all[len(all)-1]
	for n := range 3 * keptLines {
		last.Share = n + 2
		k.looks(all...)
	}
	k.starts()
	lines, _ := told(t, k.Chronicle, last.ID.String(), 0)
	if n := len(lines); n < keptLines || n > 2*keptLines+1 || lines[n-2] != fmt.Sprintf("its share is %d now, and was %d", last.Share, last.Share-1) {
		t.Errorf("%d lines are kept, the last are %q", n, lines[max(0, n-3):])
	}
}

// TestDamagedStories: what was not written to its end, or is no story, is left out.
func TestDamagedStories(t *testing.T) {
	k := newKeeper(t)
	r := numbered("\xab")[0]
	r.State, r.Share = satin.RunComputing, 1
	k.looks(r)
	file := k.files()[0]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{
		file:                                     string(text) + `{"schema":1,"at":"20`,
		filepath.Join(k.folder, "x"+storyEnding): string(text),
		filepath.Join(k.folder, strings.Repeat("0", 32)+storyEnding): string(text),
		filepath.Join(k.folder, strings.Repeat("1", 32)+storyEnding): "",
		filepath.Join(k.folder, strings.Repeat("2", 30)+storyEnding): string(text),
	} {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	k.starts()
	for range 2 { // what follows is not written after the damage
		if n := len(k.stories); n != 1 {
			t.Fatalf("%d stories are read", n)
		}
		k.looks(r)
		k.starts()
	}
	if lines, _ := told(t, k.Chronicle, "ab", 0); len(lines) != 4 {
		t.Errorf("of three starts is told %q", lines)
	}
}

// TestStoriesAfterALossOfPower: of a file that was being written any beginning may be there. What
// was told in whole lines is told again, and so is what is told after it.
func TestStoriesAfterALossOfPower(t *testing.T) {
	k := newKeeper(t)
	r := numbered("\xab")[0]
	r.State, r.Share = satin.RunComputing, 1
	k.looks(r)
	r.Share = 2
	k.looks(r)
	file := k.files()[0]
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	first := bytes.IndexByte(text, '\n') + 1
	for _, end := range []int{0, 1, first / 2, first - 1, first, first + 1, len(text) - 1, len(text)} {
		for _, rest := range []string{"", strings.Repeat("\x00", len(text)-end)} {
			if err := os.WriteFile(file, append(bytes.Clone(text[:end]), rest...), 0o600); err != nil {
				t.Fatal(err)
			}
			r.Share = 2
			k.starts()
			k.looks(r)
			r.Share = 3
			k.looks(r)
			k.starts()
			lines, _ := told(t, k.Chronicle, "ab", 0)
			whole := 0 // lines, of which the last may lack its end
			for line := range bytes.Lines(text[:end]) {
				if bytes.HasSuffix(line, []byte("}\n")) || rest == "" && bytes.HasSuffix(line, []byte("}")) {
					whole++
				}
			}
			want := []string{"submitted: t.Task", "its share is 2 now, and was 1"}[:whole]
			if whole == 0 {
				want = append(want, "submitted: t.Task")
			} else {
				want = append(want, "the node that tells this was started again")
			}
			want = append(want, "its share is 3 now, and was 2", "the node that tells this was started again")
			if !slices.Equal(lines, want) {
				t.Fatalf("of the first %d bytes and %d of nothing is told %q, wanted %q", end, len(rest), lines, want)
			}
		}
	}
}

// TestALongStoryIsReplacedWhole: while the file of one is written anew, the old one is there.
func TestALongStoryIsReplacedWhole(t *testing.T) {
	k := newKeeper(t)
	r := numbered("\xab")[0]
	r.State = satin.RunComputing
	for r.Share = range 2 * keptLines {
		k.looks(r)
	}
	file := k.files()[0]
	old, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer old.Close()
	for ; r.Share < 3*keptLines; r.Share++ {
		k.looks(r)
	}
	is, err := old.Stat()
	now, err2 := os.Stat(file)
	if err != nil || err2 != nil || os.SameFile(is, now) {
		t.Fatalf("it was not written anew: %v, %v", err, err2)
	}
	text, err := io.ReadAll(old)
	if n := bytes.Count(text, []byte("\n")); err != nil || n < 2*keptLines-1 {
		t.Errorf("the old file has %d lines left, %v", n, err)
	}
	if files := k.files(); len(files) != 1 {
		t.Errorf("there are %q", files)
	}
}
