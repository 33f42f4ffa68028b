package program

import (
	"bytes"
	"encoding/json"
	"os"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/local"
)

// lossesOfRun are losses of all kinds, and what this process knows itself of those at site b.
func lossesOfRun() (satin.Stats, runEnd) {
	s := satin.Stats{Losses: []satin.Loss{
		{Peer: "b/1", How: "silent", Restarted: 2, Reused: 14, RedoneSeconds: 0.4},
		{Peer: "b/2", How: "leave", Restarted: 1, Reused: 1, SavedSeconds: 3.1},
		{Peer: "c/1", How: "rejoin", Restarted: 3, SavedSeconds: 0.01},
		{Peer: "c/2", How: "silent", Restarted: 1, Noticed: 1500 * time.Millisecond},
		{Peer: "b/1", How: "silent", Restarted: 1, Elsewhere: true},
	}}
	return s, runEnd{losses: func(peer string) []local.Loss {
		switch peer {
		case "b/1":
			return []local.Loss{{How: "kill", Noticed: 100 * time.Millisecond, Known: true}}
		case "b/2":
			return []local.Loss{{How: "leave"}}
		}
		return nil
	}}
}

// TestLossLines are the last lines of a run, word by word.
func TestLossLines(t *testing.T) {
	var said bytes.Buffer
	s, o := lossesOfRun()
	explain(&console.Console{Name: "satin", Err: &said, Terminal: -1}, s, o)
	const want = `satin: b/1 lost (kill): noticed in 0.1 s, 2 jobs restarted, 14 results reused, 0.4 s redone
satin: b/2 left: 1 job restarted, 1 result reused, 0.0 s redone, 3.1 s saved
satin: c/1 lost (silent): 3 jobs restarted, 0 results reused, 0.0 s redone
satin: c/2 lost (silent): noticed in 1.5 s, 1 job restarted, 0 results reused, 0.0 s redone
satin: b/1 lost (silent): 1 job restarted, 0 results reused, 0.0 s redone
`
	if said.String() != want {
		t.Errorf("it says\n%s\nwanted\n%s", &said, want)
	}
}

// TestLossRows are the losses of the JSON document, as scripts read them.
func TestLossRows(t *testing.T) {
	s, o := lossesOfRun()
	got, err := json.Marshal(newDocument(testConsole(), "fib", "20", s, o).Losses)
	if err != nil {
		t.Fatal(err)
	}
	const want = `[{"peer":"b/1","how":"kill","noticed_seconds":0.1,"restarted":2,"reused":14,"redone_seconds":0.4,"saved_seconds":0},` +
		`{"peer":"b/2","how":"leave","noticed_seconds":null,"restarted":1,"reused":1,"redone_seconds":0,"saved_seconds":3.1},` +
		`{"peer":"c/1","how":"silent","noticed_seconds":null,"restarted":3,"reused":0,"redone_seconds":0,"saved_seconds":0.01},` +
		`{"peer":"c/2","how":"silent","noticed_seconds":1.5,"restarted":1,"reused":0,"redone_seconds":0,"saved_seconds":0},` +
		`{"peer":"b/1","how":"silent","noticed_seconds":null,"restarted":1,"reused":0,"redone_seconds":0,"saved_seconds":0}]`
	if string(got) != want {
		t.Errorf("the losses are\n%s\nwanted\n%s", got, want)
	}
}

// TestLossesAsTheyHappen are lines and events of losses that this process has not caused.
func TestLossesAsTheyHappen(t *testing.T) {
	name := t.TempDir() + "/events"
	log, err := openEvents(&console.Console{Name: "satin"}, name)
	if err != nil {
		t.Fatal(err)
	}
	f := newFeed(&console.Console{Name: "satin"}, log)
	for _, how := range []string{"kill", "rejoin", "leave"} {
		f.event(satin.Event{Kind: satin.EventLost, Peer: "b/1", Site: "b", How: how})
	}
	log.close()
	if got, want := strings.Join(f.take(), "; "), "b/1 lost (kill); b/1 lost (silent); b/1 left"; got != want {
		t.Errorf("the lines are %q, wanted %q", got, want)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"event":"lost","peer":"b/1","site":"b","how":"kill"}`, `"event":"lost","peer":"b/1","site":"b","how":"silent"}`, `"event":"left","peer":"b/1","site":"b","how":"leave"}`} {
		if strings.Count(string(text), want) != 1 {
			t.Errorf("no %s in\n%s", want, text)
		}
	}
}
