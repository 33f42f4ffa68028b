package across

import (
	"context"
	"errors"
	"fmt"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/p2p"
	"satingrid/satin/ticket"
)

// Nothing is a task.
type Nothing struct{}

func (Nothing) Run(*satin.Scope) (bool, error) { return true, nil }

// answering opens a host that says what a function wants; it is where it says.
func answering(t *testing.T, grid ticket.Ticket, say func(q Question) Response) (addrs []string) {
	t.Helper()
	p, err := satin.Open(t.Context(), satin.Config{
		App: satin.App{Name: "nothing", Tasks: []satin.TaskType{satin.Type[Nothing]()}}, Workers: 1,
		Ticket: grid, Listen: []string{"/ip4/127.0.0.1/tcp/0"},
		Visit: func(_ context.Context, _ string, text []byte) []byte {
			q, err := Understand(text)
			if err != nil {
				return Response{Error: err.Error(), Code: 2}.Text()
			}
			return say(q).Text()
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p.Addrs()
}

// TestGrids begins with a host of the oldest of three builds, and finds the others by what each
// says: of its next, which need not know of it. Two hosts of one grid are one.
func TestGrids(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	v := Visitor{Ticket: lab}
	if _, err := v.Grids(t.Context(), nil); err == nil {
		t.Error("nobody was asked, and somebody has answered")
	}
	of := func(build string, next ...Grid) func(Question) Response {
		return func(Question) Response {
			return Response{Portrait: &Portrait{Name: "lab", Grid: Grid{Build: build, Addrs: []string{"/ip4/127.0.0.1/tcp/1/p2p/" + build}}, Next: next}}
		}
	}
	third := answering(t, lab, of("3"))
	second := answering(t, lab, of("2", Grid{Build: "3", Addrs: third}))
	first := answering(t, lab, of("1", Grid{Build: "2", Addrs: second}))
	again := answering(t, lab, of("1"))
	grids, err := v.Grids(t.Context(), slices.Concat(again, first))
	var builds []string
	for _, g := range grids {
		builds = append(builds, g.Build)
	}
	if err != nil || !slices.Equal(builds, []string{"1", "2", "3"}) {
		t.Fatalf("the builds are %q, %v", builds, err)
	}
	if g := GridOf(grids, "2"); g == nil || g.Name != "lab" {
		t.Errorf("of build 2 is %+v", g)
	}
	if g := GridOf(grids, "4"); g != nil {
		t.Errorf("of build 4 is %+v", g)
	}

	mute := answering(t, lab, func(Question) Response { return Response{Error: "not now", Code: 3} })
	var refused *Denial
	if _, err := v.Ask(t.Context(), Question{Ask: AskJobs}, mute...); !errors.As(err, &refused) || refused.Code != 3 || refused.Text != "not now" {
		t.Errorf("it says %v", err)
	}
	if _, err := v.Grids(t.Context(), mute); err == nil || !strings.Contains(err.Error(), "not now") {
		t.Errorf("where no host tells: %v", err)
	}
}

// silent is where something listens that says nothing, as a machine that hangs.
func silent(t *testing.T) (addr string) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0") // nobody accepts
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { l.Close() })
	gone, err := p2p.PeerID(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("/ip4/127.0.0.1/tcp/%d/p2p/%s", l.Addr().(*net.TCPAddr).Port, gone)
}

// TestAskOne: the first that answers is enough. Who is silent or refuses to answer is passed over.
func TestAskOne(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	v := Visitor{Ticket: lab}
	of := func(build string) func(Question) Response {
		return func(Question) Response { return Response{Portrait: &Portrait{Name: "lab", Grid: Grid{Build: build}}} }
	}
	mute := answering(t, lab, func(Question) Response { return Response{Error: "not now", Code: 3} })
	first := answering(t, lab, of("1"))
	got, err := v.AskOne(t.Context(), Question{Ask: AskGrid}, slices.Concat([]string{silent(t)}, mute, first))
	if err != nil || got.Answer.Portrait == nil || got.Answer.Build != "1" || got.Host.Addrs[0] != first[0] {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := v.AskOne(t.Context(), Question{Ask: AskGrid}, mute); err == nil || err.Error() != "not now" {
		t.Errorf("where nobody tells: %v", err)
	}
	if _, err := v.AskOne(t.Context(), Question{Ask: AskGrid}, nil); !errors.Is(err, errNoAddress) {
		t.Errorf("where nobody is asked: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := v.AskOne(ctx, Question{Ask: AskGrid}, []string{silent(t), silent(t)}); err == nil {
		t.Error("one answers whom nobody waits for")
	}
}

// TestGridsAmongSilentMachines: a host that answers is enough. Those that say nothing, as machines
// that are gone, are not waited for until the time is over.
func TestGridsAmongSilentMachines(t *testing.T) {
	lab, err := ticket.New("lab")
	if err != nil {
		t.Fatal(err)
	}
	addrs := answering(t, lab, func(Question) Response { return Response{Portrait: &Portrait{Name: "lab", Grid: Grid{Build: "1"}}} })
	for range 5 * visitsAtOnce {
		addrs = append(addrs, silent(t))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
	defer cancel()
	grids, err := Visitor{Ticket: lab}.Grids(ctx, addrs)
	if err != nil || len(grids) != 1 || ctx.Err() != nil {
		t.Errorf("%v, %v; the time that is left: %v", grids, err, ctx.Err())
	}
}
