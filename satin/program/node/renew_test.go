package node

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/await"
	"satingrid/satin/ticket"
)

// visiting is a peer, or a client, that a test says everything of.
type visiting struct {
	mu      sync.Mutex
	others  []string
	members []satin.Member
	told    []string
	done    chan struct{}
	err     error
}

func newVisiting() *visiting { return &visiting{done: make(chan struct{})} }

func (v *visiting) Addrs() []string { return []string{addrAt(1, "me")} }

func (v *visiting) Others() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.others
}

func (v *visiting) Members() []satin.Member {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.members
}

func (v *visiting) Learn(addrs []string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.told = addrs
}

func (v *visiting) Done() <-chan struct{} { return v.done }

func (v *visiting) Err() error { return v.err }

// meets changes whom it reaches.
func (v *visiting) meets(others []string, members ...satin.Member) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.others, v.members, v.told = others, members, nil
}

// heard is what it was told last.
func (v *visiting) heard() []string {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.told
}

func addrAt(port int, id string) string {
	return fmt.Sprintf("/ip4/192.0.2.1/tcp/%d/p2p/%s", port, id)
}

// met is a meeting in a folder of its own, at no time of which anything is looked after.
func met(t *testing.T) *meeting {
	t.Helper()
	f, err := ticket.OpenFolder(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	grid, err := f.Grid()
	if err != nil {
		t.Fatal(err)
	}
	return &meeting{folder: f, grid: grid, me: "me", learnEvery: time.Hour, refreshEvery: time.Hour}
}

// post publishes the ticket of another, who names others beside.
func (m *meeting) post(t *testing.T, id string, addrs ...string) {
	t.Helper()
	posted, err := m.grid.Invite(addrs...)
	if err == nil {
		err = m.folder.Publish(id, posted)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// own is the ticket that it has published itself, if any.
func (m *meeting) own(t *testing.T) (own ticket.Published) {
	t.Helper()
	all, err := m.folder.Tickets(m.grid)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if p.Of() == m.me {
			own = p
		}
	}
	return own
}

// staying lets it stay, and ends it with the test.
func staying(t *testing.T, v *visiting, stay func(served)) (leave func(error)) {
	over := make(chan struct{})
	go func() {
		defer close(over)
		stay(v)
	}()
	left := sync.OnceFunc(func() { close(v.done) })
	t.Cleanup(func() { left(); <-over })
	return func(err error) {
		v.err = err
		left()
		<-over
	}
}

// TestMembersLookAtTheFolder: a member hears of whoever publishes a ticket, of the host itself and
// not of whom that names.
func TestMembersLookAtTheFolder(t *testing.T) {
	m, v := met(t), newVisiting()
	m.learnEvery = time.Millisecond
	if err := m.publish(v); err != nil {
		t.Fatal(err)
	}
	staying(t, v, m.stay)
	m.post(t, "other", addrAt(2, "other"), addrAt(3, "client"), addrAt(4, "other"))
	await.Until(t, "told of the other", func() bool {
		return slices.Equal(v.heard(), []string{addrAt(2, "other"), addrAt(4, "other")})
	})
}

// TestTicketsStayFresh: a member publishes its ticket again, and when it has left there is none.
func TestTicketsStayFresh(t *testing.T) {
	m, v := met(t), newVisiting()
	m.refreshEvery = time.Millisecond
	if err := m.publish(v); err != nil {
		t.Fatal(err)
	}
	m.post(t, "other", addrAt(2, "other"))
	first := m.own(t)
	leave := staying(t, v, m.stay)
	await.Until(t, "published again", func() bool {
		again := m.own(t)
		return again.Of() == m.me && !again.Same(first)
	})
	leave(satin.ErrLeft)
	if own := m.own(t); own.Of() == m.me {
		t.Error("it has left, and its ticket is there")
	}
}

// TestTicketsNameOthers: a ticket names whom its member reaches, who may be all that is left, and
// is published when that changes, and not when it does not.
func TestTicketsNameOthers(t *testing.T) {
	m, v := met(t), newVisiting()
	m.learnEvery = time.Millisecond
	if err := m.publish(v); err != nil {
		t.Fatal(err)
	}
	first := m.own(t)
	staying(t, v, m.stay)
	m.post(t, "other", addrAt(2, "other"))
	await.Until(t, "looked at the folder", func() bool { return len(v.heard()) > 0 })
	if again := m.own(t); !again.Same(first) {
		t.Error("it is published though nothing has changed")
	}
	v.meets([]string{addrAt(3, "client")})
	await.Until(t, "named the client", func() bool {
		return slices.Equal(m.own(t).Ticket.Addrs, []string{addrAt(1, "me"), addrAt(3, "client")})
	})
}

// TestClientsLookAtTheFolder while they reach no member.
func TestClientsLookAtTheFolder(t *testing.T) {
	m, v := met(t), newVisiting()
	m.learnEvery = time.Millisecond
	m.post(t, "other", addrAt(2, "other"))
	staying(t, v, m.follow)
	heard := func() bool { return slices.Equal(v.heard(), []string{addrAt(2, "other")}) }
	await.Until(t, "told of the member", heard)
	v.meets(nil)
	await.Until(t, "told again", heard)
	near := newVisiting()
	near.meets(nil, satin.Member{ID: "other"})
	if m.seek(near); near.heard() != nil {
		t.Error("it reaches a member, and looks for others")
	}
}

// TestSpareTicket: the file that leads to a node's grid names whom it reaches, is written anew when
// that has changed, and else left alone.
func TestSpareTicket(t *testing.T) {
	grid, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	s, v := newSpare(t.TempDir(), grid), newVisiting()
	s.every = time.Millisecond
	if err := s.write(v); err != nil {
		t.Fatal(err)
	}
	names := func(file string) []string {
		got, err := ticket.Load(file)
		if err != nil {
			t.Fatal(err)
		}
		return got.Addrs
	}
	file := s.file
	s.file = filepath.Join(filepath.Dir(file), "never")
	if err := s.write(v); err != nil {
		t.Fatal(err)
	}
	if _, err := ticket.Load(s.file); err == nil {
		t.Error("nothing has changed, and it is written")
	}
	s.file = file
	staying(t, v, s.stay)
	v.meets([]string{addrAt(3, "client")})
	await.Until(t, "named the client", func() bool {
		return slices.Equal(names(file), []string{addrAt(1, "me"), addrAt(3, "client")})
	})
}

// TestWaysOfTickets: whose tickets they are come first, the youngest before others, and then those
// whom they name, each once, and no more than may be.
func TestWaysOfTickets(t *testing.T) {
	posted := []ticket.Published{
		{Ticket: ticket.Ticket{Addrs: []string{"/a/p2p/x", "/b/p2p/x", "/c/p2p/y", "/d/p2p/client"}}},
		{Ticket: ticket.Ticket{Addrs: []string{"/c/p2p/y", "/a/p2p/x", "/e/p2p/z"}}},
	}
	for most, want := range map[int]string{
		10: "[/a/p2p/x /b/p2p/x /c/p2p/y /d/p2p/client /e/p2p/z]", 4: "[/a/p2p/x /b/p2p/x /c/p2p/y /d/p2p/client]", 1: "[/a/p2p/x]",
	} {
		if got := fmt.Sprint(waysOf(posted, most)); got != want {
			t.Errorf("%d ways are %s", most, got)
		}
	}
	if got := fmt.Sprint(addressesOf(posted, 10)); got != "[/a/p2p/x /b/p2p/x /c/p2p/y]" {
		t.Errorf("they are at %s", got)
	}
}

// TestTicketsAreTriedInTurn: of more tickets than are tried at a time, the youngest come first, and
// then the others: none counts as tried that was not.
func TestTicketsAreTriedInTurn(t *testing.T) {
	m := met(t)
	for n := range triedMax + 3 {
		id := fmt.Sprint("x", n)
		m.post(t, id, addrAt(2, id))
		then := time.Now().Add(time.Duration(n-triedMax) * time.Second / 2)
		if err := os.Chtimes(filepath.Join(m.folder.String(), id+".member"), then, then); err != nil {
			t.Fatal(err)
		}
	}
	for turn, want := range []int{triedMax, 3, 0} {
		next, all, err := m.untried()
		if err != nil || len(next) != want || len(all) != triedMax+3 {
			t.Fatalf("turn %d: %d of %d, %v", turn, len(next), len(all), err)
		}
		if turn == 0 && (next[0].Of() != fmt.Sprint("x", triedMax+2) || next[triedMax-1].Of() != "x3") {
			t.Errorf("%s to %s come first", next[0].Of(), next[triedMax-1].Of())
		}
		m.tried = append(m.tried, next...)
	}
}
