package node

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"satingrid/satin"
	"satingrid/satin/program/console"
)

// TestStoredPage fits on a screen, whatever is stored.
func TestStoredPage(t *testing.T) {
	now := time.Unix(1e9, 0)
	var rows []storedRow
	for n, r := range []satin.StoredRun{
		{Task: "tsp.Solve", Label: "tsp " + strings.Repeat("ü", 60), Best: true, Results: 12345, Bytes: 5 << 20, Written: now.Add(-time.Minute)},
		{Task: "fib.Fib", Answered: true, Results: 1, Bytes: 4 << 10, Written: now.Add(time.Hour)},
		{Results: 3, Bytes: 3 << 30, Written: now.Add(-80 * time.Hour)},
	} {
		r.Key[0], r.Own = byte(n+1), n < 2
		rows = append(rows, storedRowOf(r, appOf))
	}
	var out bytes.Buffer
	storedPage(&console.Printer{W: &out}, rows, "folder", now)
	const want = `KEY      STATE     APP       INPUT        RESULTS      SIZE   WRITTEN BUILD
01000000 on        tsp       üüüüüüüüüüü…   12345   5.0 MiB      60 s this
02000000 answered  fib                          1   4.0 KiB     0.0 s this
03000000 given up                               3   3.0 GiB  3.3 days other
`
	if out.String() != want {
		t.Errorf("it prints\n%swanted\n%s", &out, want)
	}
	for line := range strings.Lines(out.String()) {
		if utf8.RuneCountInString(line) > 80 {
			t.Errorf("%q is wider than a screen", line)
		}
	}
}

// TestStoreErrors: a store that a node has open is refused, and nothing else.
func TestStoreErrors(t *testing.T) {
	var told *console.Error
	if err := storeError(fmt.Errorf("store x: %w", satin.ErrStoreBusy)); !errors.As(err, &told) || told.Code != console.ExitRefused {
		t.Errorf("%v", err)
	}
	if err := errors.New("disk"); storeError(err) != err || storeError(nil) != nil {
		t.Error("an error is another")
	}
}
