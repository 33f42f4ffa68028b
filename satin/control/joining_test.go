package control

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"satingrid/membership"
	"satingrid/satin/control/driver"
	"satingrid/satin/p2p"
	"satingrid/satin/peer"
	"satingrid/satin/ticket"
)

// TestWhatIsKnownAtTheStart: the folder's hosts and the ticket's, of these each once; a past is one
// that has met others, or what Begin says.
func TestWhatIsKnownAtTheStart(t *testing.T) {
	folder := t.TempDir()
	lines := `{"id":"me","join":3,"addrs":["/here/p2p/me"]}` + "\n" + `{"id":"x","reached":"1970-01-01T00:00:00Z","addrs":["/there/p2p/x"]}` + "\n"
	if err := os.WriteFile(filepath.Join(folder, AddressesFile), []byte(lines), 0o600); err != nil {
		t.Fatal(err)
	}
	addrs := []string{"/one/p2p/y", "/two/p2p/y", "/one/p2p/z"}
	for _, c := range []struct {
		begin  WhenAlone
		state  string
		addrs  []string
		known  int
		named  int // by the ticket
		past   bool
		refuse bool
	}{
		{AloneDefault, "", nil, 0, 0, false, false},
		{AloneDefault, "", addrs, 0, 2, false, false},
		{AloneDefault, folder, addrs, 2, 2, true, false},
		{AloneFails, folder, addrs, 2, 2, false, false},
		{AloneFails, "", nil, 0, 0, false, true},
		{AloneGoesOn, "", addrs, 0, 2, true, false},
		{AloneGoesOn, "", nil, 0, 0, false, false},
		{AloneFoundsAnew, folder, addrs, 0, 2, false, false},
		{AloneFoundsAnew, folder, nil, 0, 0, false, false},
	} {
		var j joining
		err := j.load(&Config{State: c.state, WhenAlone: c.begin, Ticket: ticket.Ticket{Addrs: c.addrs}, Clock: stopped{}})
		if (err != nil) != c.refuse || len(j.known) != c.known || len(j.tickets) != c.named || err == nil && j.past != c.past {
			t.Errorf("%+v: %d hosts and %d of the ticket, a past: %v, %v", c, len(j.known), len(j.tickets), j.past, err)
		}
	}
	if got := KnownAddrs(folder); !slices.Equal(got, []string{"/there/p2p/x"}) {
		t.Errorf("others are at %q", got)
	}
	if err := os.WriteFile(filepath.Join(folder, AddressesFile), []byte("nonsense"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := new(joining).load(&Config{State: folder, Clock: stopped{}}); err == nil {
		t.Error("a file that cannot be read is taken for none")
	}
}

// TestWhyNobodyLetsItIn: a refusal says the most, then the first thing that was in the way.
func TestWhyNobodyLetsItIn(t *testing.T) {
	silent, refused := errors.New("no answer"), &p2p.DeniedError{Why: p2p.WhyBarred}
	var j joining
	var s *StrandedError
	if err := j.stranded(peer.Stranded{}); !errors.As(err, &s) {
		t.Errorf("without an address: %v", err)
	}
	j.failed(silent)
	j.failed(errors.New("something else"))
	if err := j.stranded(peer.Stranded{}); !errors.Is(err, silent) || !errors.As(err, &s) {
		t.Errorf("nobody answers: %v", err)
	}
	j.failed(refused)
	j.failed(silent)
	var why *p2p.DeniedError
	if err := j.stranded(peer.Stranded{}); !errors.As(err, &why) {
		t.Errorf("somebody refuses it: %v", err)
	}
	if err := j.stranded(peer.Stranded{Reached: true}); errors.As(err, &why) {
		t.Errorf("somebody was reached: %v", err)
	}
	if err := j.stranded(peer.Stranded{Full: true}); !errors.Is(err, ErrGridFull) {
		t.Errorf("the grid is full: %v", err)
	}
}

// TestWhyPeersEnd: with an error for each reason, which exit codes hang on.
func TestWhyPeersEnd(t *testing.T) {
	var j joining
	for want, why := range map[error]peer.Effect{
		ErrLeft: peer.Left{Heir: "x"}, ErrBarred: membership.Banned{}, ErrTwin: driver.Twin{},
		ErrGridFull: peer.Stranded{Full: true},
	} {
		if got := j.why(why); !errors.Is(got, want) {
			t.Errorf("%T is %v, want %v", why, got, want)
		}
	}
	var late *LateError
	if got := j.why(peer.Left{Lost: 2, Jobs: 3}); !errors.As(got, &late) || *late != (LateError{Results: 2, Jobs: 3}) {
		t.Errorf("a late leave is %v", got)
	}
	if got := j.why(peer.Left{Runs: 1}).Error(); !strings.Contains(got, ": 1 runs that are to be kept, 0 finished results") {
		t.Errorf("of a run that nobody holds it says %q", got)
	}
}

// TestGiveUp: the start of a peer is given up only while that is not in its grid: one that is in
// has to leave.
func TestGiveUp(t *testing.T) {
	l := newLoop(Config{Clock: stopped{}})
	defer l.voice.end()
	l.joining.in = make(chan struct{})
	close(l.joining.in)
	if l.giveUp(errors.New("too late")); l.ctx.Err() != nil {
		t.Error("one that is in was ended")
	}
	l.joining.in = make(chan struct{})
	if l.giveUp(errors.New("in time")); l.ctx.Err() == nil {
		t.Error("one that is not in goes on")
	}
}

// TestKnownAddrs: of a folder's hosts those come first that were reached last. Those that never
// were, and clients, are not among them.
func TestKnownAddrs(t *testing.T) {
	folder := t.TempDir()
	var lines strings.Builder
	for _, l := range []string{
		`{"id":"a","reached":"2020-01-01T00:00:00Z","addrs":["/a"]}`, `{"id":"b","reached":"2024-01-01T00:00:00Z","addrs":["/b1","/b2"]}`,
		`{"id":"c","client":true,"reached":"2024-01-01T00:00:00Z","addrs":["/c"]}`, `{"id":"d","addrs":["/d"]}`,
		`{"id":"e","reached":"2022-01-01T00:00:00Z","addrs":["/e"]}`,
	} {
		lines.WriteString(l + "\n")
	}
	if err := os.WriteFile(filepath.Join(folder, AddressesFile), []byte(lines.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(KnownAddrs(folder), " "); got != "/b1 /b2 /e /a" {
		t.Error(got)
	}
}
