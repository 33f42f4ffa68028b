package moments

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"
	"time"

	"satingrid/satin/program/across"
	"satingrid/satin/program/recording"
)

// long is a recording of a grid on which peers come and go, some silently, and loans end.
func long(t *testing.T, looks int, r *rand.Rand) []byte {
	t.Helper()
	var b bytes.Buffer
	w := recording.NewRecorder(&b, began, time.Second)
	second, up := 0, 0
	for range looks {
		second += 1 + r.IntN(3)
		l := at(second, 1+r.IntN(5))
		l.Silent = r.IntN(10) == 0
		l.Hosts = []across.Activity{{By: "a/1", Lost: map[string]int{"kill": second / 20}}}
		l.Hosts[0].Gone = []across.Absentee{{Peer: "b/1", ID: fmt.Sprint("b", second/20), Site: "b", How: "kill", At: float64(second / 20 * 20), Noticed: 0.5}}
		l.Peers[0].Totals.Again, l.Peers[0].Totals.Repairing = uint64(second/7), float64(second)/9
		l.Runs = []across.RunLine{{ID: fmt.Sprint("run", second/30), App: "fib", State: "computing", Master: "id-a/1", Progress: float64(second%30) / 30}}
		for range r.IntN(4) {
			up++
			l.Peers[0].Loans = append(l.Peers[0].Loans, across.Loan{No: uint64(up), Run: l.Runs[0].ID, From: "b/1", At: float64(second), Took: r.Float64()})
		}
		if err := w.Add(l); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(time.Duration(second) * time.Second); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// state is all that is to be seen of a tape.
func state(t *testing.T, tape *Tape) string {
	t.Helper()
	m := tape.moment()
	text, err := json.Marshal(map[string]any{"report": m.Report(), "view": m.View, "trouble": m.Trouble, "tape": m.Tape})
	if err != nil {
		t.Fatal(err)
	}
	return page(t, m) + string(text)
}

// counting counts what is read of a file.
type counting struct {
	io.ReadSeeker
	n int64
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.ReadSeeker.Read(p)
	c.n += int64(n)
	return n, err
}

// TestSeeksAreReadings: after any seeks a tape is as one that was read from its beginning, whether
// it has places to begin at or, as one that was compressed anew, none.
func TestSeeksAreReadings(t *testing.T) {
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 15))
		looks := []int{1, 40, 120}[seed]
		text := long(t, looks, r)
		var anew bytes.Buffer
		z, plain := gzip.NewWriter(&anew), mustUnzip(t, text)
		z.Write(plain)
		z.Close()
		want := make([]string, looks+1)
		straight := tapeOf(t, text)
		straight.places, straight.every = nil, looks+1
		for n := 1; n <= looks; n++ {
			if err := straight.step(t.Context(), min(n-1, 1)); err != nil {
				t.Fatal(err)
			}
			want[n] = state(t, straight)
		}
		for what, text := range map[string][]byte{"as it was recorded": text, "compressed anew": anew.Bytes()} {
			tape := tapeOf(t, text)
			for range 25 {
				n := 1 + r.IntN(looks)
				if err := tape.step(t.Context(), n-tape.seen); err != nil {
					t.Fatal(err)
				}
				if got := state(t, tape); got != want[n] {
					t.Fatalf("seed %d, %s: at look %d of %d it is\n%s\nand from the beginning\n%s", seed, what, n, looks, got, want[n])
				}
			}
			if hasPlaces := len(tape.places) > 0; hasPlaces != (what == "as it was recorded") || len(tape.places) > placesMax {
				t.Errorf("%s: %d places", what, len(tape.places))
			}
		}
	}
}

func tapeOf(t *testing.T, text []byte) *Tape {
	t.Helper()
	tape, err := NewTape(t.Context(), bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return tape
}

func mustUnzip(t *testing.T, text []byte) []byte {
	t.Helper()
	z, err := gzip.NewReader(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	plain, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return plain
}

// TestBackIsNear: a step back reads a 64th of the file, and what is read at once of any.
func TestBackIsNear(t *testing.T) {
	const looks = 256
	text := long(t, looks, rand.New(rand.NewPCG(7, 7)))
	file := &counting{ReadSeeker: bytes.NewReader(text)}
	tape, err := NewTape(t.Context(), file)
	if err != nil {
		t.Fatal(err)
	}
	if err := tape.step(t.Context(), looks); err != nil {
		t.Fatal(err)
	}
	const atOnce = 2 * 4096
	for range looks - 1 {
		was := tape.seen
		file.n = 0
		if err := tape.step(t.Context(), -1); err != nil || tape.seen != was-1 {
			t.Fatalf("from look %d to %d: %v", was, tape.seen, err)
		}
		if most := int64(2*len(text)/placesMax + atOnce); file.n > most {
			t.Fatalf("to look %d it reads %d bytes of %d, and may %d", tape.seen, file.n, len(text), most)
		}
	}
}

// TestPlacesAreBounded: where states are large there are fewer, and those that are left lie evenly.
func TestPlacesAreBounded(t *testing.T) {
	tape := tapeOf(t, long(t, 200, rand.New(rand.NewPCG(3, 3))))
	tape.kept = placesBytes - 3*recordingBytes
	if err := tape.step(t.Context(), 200); err != nil {
		t.Fatal(err)
	}
	every := tape.every
	if every <= 4 || len(tape.places) == 0 || len(tape.places) > 200/every {
		t.Fatalf("%d places, each after %d looks", len(tape.places), every)
	}
	for _, p := range tape.places {
		if p.looks%every != 0 {
			t.Errorf("there is a place at look %d, and they are to be %d apart", p.looks, every)
		}
	}
}

// recordingBytes is less than a place takes.
const recordingBytes = 8 << 10

// TestPlaceByChance: where one that was taken for a place is none, the recording is read from its
// beginning.
func TestPlaceByChance(t *testing.T) {
	text := long(t, 40, rand.New(rand.NewPCG(9, 9)))
	tape, want := tapeOf(t, text), tapeOf(t, text)
	tape.every = 10
	tape.forget()
	if err := errors.Join(tape.step(t.Context(), 35), want.step(t.Context(), 28)); err != nil || len(tape.places) != 3 {
		t.Fatalf("it has %d places: %v", len(tape.places), err)
	}
	tape.from = shifted{tape.from}
	if err := tape.step(t.Context(), 29-tape.seen); err != nil || state(t, tape) != state(t, want) {
		t.Errorf("it is at look %d, with %d places: %v", tape.seen, len(tape.places), err)
	}
}

// shifted is a file in which one that seeks beyond its beginning comes to lie a byte farther on.
type shifted struct{ io.ReadSeeker }

func (s shifted) Seek(to int64, from int) (int64, error) {
	if to > 0 {
		to++
	}
	return s.ReadSeeker.Seek(to, from)
}
