package runs

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"
)

// TestSubmitted remembers runs, finds them by words, and says which was the last, by when it was
// submitted and not by when it was written.
func TestSubmitted(t *testing.T) {
	s := SubmittedIn(t.TempDir())
	if len(s.Find(Last)) > 0 {
		t.Error("there is a last run before the first")
	}
	now := time.Now()
	for age, id := range []string{"abcd", "abce", "12"} {
		if err := s.Note(One{ID: id, Grid: "lab", Join: "/t", Label: "fib 3", At: now.Add(-time.Duration(age) * time.Second)}); err != nil {
			t.Fatal(err)
		}
	}
	for word, want := range map[string]string{Last: "[abcd]", "abcd": "[abcd]", "ABCE": "[abce]", "1": "[12]", "abc": "[abce abcd]", "x": "[]", "": "[]", "@first": "[]"} {
		ids := []string{}
		for _, r := range s.Find(word) {
			if ids = append(ids, r.ID); r.Grid != "lab" || r.Join != "/t" || r.Label != "fib 3" {
				t.Errorf("%q: %+v", word, r)
			}
		}
		if got := fmt.Sprint(ids); got != want {
			t.Errorf("%q: %v, wanted %v", word, got, want)
		}
	}
}

// TestSubmittedWords are what a shell offers.
func TestSubmittedWords(t *testing.T) {
	s := SubmittedIn(t.TempDir())
	if words := s.Words(); len(words) > 0 {
		t.Errorf("%q", words)
	}
	now := time.Now()
	for n, id := range []string{"0123456789", "abcdefabcdef"} {
		if err := s.Note(One{ID: id, At: now.Add(time.Duration(n))}); err != nil {
			t.Fatal(err)
		}
	}
	if words := s.Words(); !slices.Equal(words, []string{Last, "abcdefab", "01234567"}) {
		t.Errorf("%q", words)
	}
}

// TestSubmittedIsBounded: the oldest are forgotten, also when many note theirs at a time; nothing
// else is left in the folder.
func TestSubmittedIsBounded(t *testing.T) {
	state := t.TempDir()
	s := SubmittedIn(state)
	now := time.Now()
	var all sync.WaitGroup
	for n := range 2 * submittedMax {
		all.Go(func() {
			if err := s.Note(One{ID: fmt.Sprintf("%03d", n), At: now.Add(time.Duration(n) * time.Second)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if err := s.Note(One{ID: "last", At: now.Add(time.Hour)}); err != nil {
		t.Fatal(err)
	}
	files, err := os.ReadDir(filepath.Join(state, "submitted"))
	if err != nil || len(files) != submittedMax {
		t.Errorf("%d files, %v", len(files), err)
	}
	list := s.All()
	if r := s.Find(Last); len(r) != 1 || r[0].ID != "last" || len(list) != submittedMax || list[0].ID != fmt.Sprintf("%03d", submittedMax+1) {
		t.Errorf("%d are remembered, from %+v", len(list), list[0])
	}
	if err := s.Note(One{ID: "early", At: now.Add(-time.Hour)}); err != nil || len(s.Find("early")) != 1 || len(s.All()) != submittedMax {
		t.Errorf("a clock was set back, and the latest is forgotten: %v", err)
	}
}

// TestSubmittedUnreadable leaves out what is no run, and goes on.
func TestSubmittedUnreadable(t *testing.T) {
	state := t.TempDir()
	s := SubmittedIn(state)
	if err := s.Note(One{ID: "ab", At: time.Now()}); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"cd.json": "{", "ef.json": `{"id":"../ab"}`, "gh.json": ""} {
		if err := os.WriteFile(filepath.Join(state, "submitted", name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if all := s.All(); len(all) != 1 || all[0].ID != "ab" {
		t.Errorf("%+v", all)
	}
	if err := SubmittedIn(filepath.Join(state, "submitted", "cd.json")).Note(One{ID: "ij"}); err == nil {
		t.Error("a run was noted where no folder can be")
	}
}
