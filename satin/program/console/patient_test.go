package console

import (
	"bytes"
	"errors"
	"fmt"
	"testing"
)

// held is a writer that takes nothing until it is let.
type held struct {
	until chan struct{}
	bytes.Buffer
}

func (h *held) Write(b []byte) (int, error) {
	<-h.until
	return h.Buffer.Write(b)
}

// TestPatient: what is printed to a terminal that is held keeps nobody, and what went missing
// meanwhile is counted.
func TestPatient(t *testing.T) {
	h := &held{until: make(chan struct{})}
	w := Patient(h).(*patient)
	for n := range 4 {
		if got, err := fmt.Fprintf(w, "line %d\n", n); got != 7 || err != nil {
			t.Fatalf("line %d: %d, %v", n, got, err)
		}
	}
	close(h.until)
	<-w.last
	fmt.Fprint(w, "line 4\n")
	if want := "line 0\n[3 lines are missing here: nobody read them]\nline 4\n"; h.String() != want {
		t.Errorf("it wrote %q, wanted %q", &h.Buffer, want)
	}
}

// TestPatientFails: an error of what is written to comes back.
func TestPatientFails(t *testing.T) {
	if _, err := Patient(broken{}).Write([]byte("x")); !errors.Is(err, errBroken) {
		t.Errorf("it says %v", err)
	}
}

var errBroken = errors.New("broken")

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errBroken }
