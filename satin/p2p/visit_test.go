package p2p

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"
)

// answers makes a host that answers visits, of a build that lets nobody of another in.
func answers(reply func(from string, request []byte) []byte) func(*Config) {
	return func(c *Config) {
		c.Hello = says("build 1")
		c.Accept = func(string, []byte) error { return errors.New("another build") }
		c.Visit = func(_ context.Context, from string, request []byte) []byte { return reply(from, request) }
	}
}

// visitor has the secret of the hosts of these tests.
func visitor(h peerHost) Visitor { return Visitor{Grid: h.cfg.Grid, Secret: h.cfg.Secret} }

func TestVisit(t *testing.T) {
	await.NoLeaks(t)
	h := start(t, answers(func(from string, request []byte) []byte {
		return fmt.Appendf(nil, "%s to %s", request, from)
	}))
	by := visitor(h)
	by.Dir = t.TempDir()
	id, err := PeerID(by.Dir)
	if err != nil {
		t.Fatal(err)
	}
	got, err := Visit(t.Context(), by, []byte("hello"), h.Addrs()...)
	if err != nil || string(got) != "hello to "+id {
		t.Errorf("%q, %v", got, err)
	}
	if n := len(h.Peers()); n != 0 {
		t.Errorf("a visit has left %d sessions", n)
	}
}

// TestVisitWithoutID: an address may be visited of which nobody knows who is there. Whoever it is
// proves the secret, or there is no answer.
func TestVisitWithoutID(t *testing.T) {
	await.NoLeaks(t)
	h := start(t, answers(func(string, []byte) []byte { return []byte("here") }))
	at, _, _ := strings.Cut(h.Addrs()[0], "/p2p/")
	if got, err := Visit(t.Context(), visitor(h), nil, at); err != nil || string(got) != "here" {
		t.Errorf("%q, %v", got, err)
	}
	stranger := visitor(h)
	stranger.Secret = bytes.Repeat([]byte{9}, SecretSize)
	var refused *DeniedError
	if _, err := Visit(t.Context(), stranger, nil, at); !errors.As(err, &refused) {
		t.Errorf("with another secret: %v", err)
	}
	if _, err := Visit(t.Context(), visitor(h), nil, "nonsense"); err == nil {
		t.Error("nonsense was visited")
	}
}

// TestVisitsAreBounded: what answers is told to end early enough that whoever asks hears of it.
func TestVisitsAreBounded(t *testing.T) {
	t.Parallel()
	h := start(t, func(c *Config) {
		c.Visit = func(ctx context.Context, _ string, _ []byte) []byte {
			<-ctx.Done()
			return []byte(context.Cause(ctx).Error())
		}
	})
	if got, err := Visit(t.Context(), visitor(h), nil, h.Addrs()...); err != nil || string(got) != errAnswerTime.Error() {
		t.Errorf("%q, %v", got, err)
	}
}

// TestVisitsAreProved: who lacks the secret, is barred, or asks for too much is told so.
func TestVisitsAreProved(t *testing.T) {
	await.NoLeaks(t)
	long := bytes.Repeat([]byte{7}, VisitReplyMax)
	h := start(t, answers(func(_ string, request []byte) []byte {
		switch string(request) {
		case "too much":
			return append(long, 7)
		case "no case":
			panic("not foreseen")
		}
		return long
	}))
	stranger := visitor(h)
	stranger.Secret = bytes.Repeat([]byte{9}, SecretSize)
	var refused *DeniedError
	if _, err := Visit(t.Context(), stranger, nil, h.Addrs()...); !errors.As(err, &refused) || refused.Why != WhyWrongSecret {
		t.Errorf("with another secret: %v", err)
	}
	other := visitor(h)
	other.Grid = "farm"
	if _, err := Visit(t.Context(), other, nil, h.Addrs()...); !errors.As(err, &refused) || refused.Why != WhyGrid {
		t.Errorf("of another grid: %v", err)
	}
	if got, err := Visit(t.Context(), visitor(h), nil, h.Addrs()...); err != nil || !bytes.Equal(got, long) {
		t.Errorf("the longest answer: %d bytes, %v", len(got), err)
	}
	if _, err := Visit(t.Context(), visitor(h), []byte("too much"), h.Addrs()...); err == nil {
		t.Error("an answer over the cap came")
	}
	if _, err := Visit(t.Context(), visitor(h), []byte("no case"), h.Addrs()...); err == nil {
		t.Error("what answers has panicked, and there is an answer")
	}
	if _, err := Visit(t.Context(), visitor(h), make([]byte, VisitRequestMax+1), h.Addrs()...); !errors.Is(err, ErrTooBig) {
		t.Errorf("a question over the cap: %v", err)
	}
	barred := visitor(h)
	barred.Dir = t.TempDir()
	id, err := PeerID(barred.Dir)
	if err != nil {
		t.Fatal(err)
	}
	h.Bar(id)
	if _, err := Visit(t.Context(), barred, nil, h.Addrs()...); !errors.As(err, &refused) || refused.Why != WhyBarred {
		t.Errorf("one that is barred: %v", err)
	}
}

// TestNobodyToVisit: a host that is older than visits says so, and one that is gone is gone.
func TestNobodyToVisit(t *testing.T) {
	await.NoLeaks(t)
	old := start(t)
	if _, err := Visit(t.Context(), visitor(old), nil, old.Addrs()...); !errors.Is(err, ErrNoVisits) {
		t.Errorf("a host without visits: %v", err)
	}
	addrs := old.Addrs()
	old.Close()
	if _, err := Visit(t.Context(), visitor(old), nil, addrs...); !errors.Is(err, ErrNobody) {
		t.Errorf("a host that is gone: %v", err)
	}
	relayed := strings.Replace(addrs[0], "/p2p/", "/p2p/"+old.ID()+"/p2p-circuit/p2p/", 1)
	if _, err := Visit(t.Context(), visitor(old), nil, relayed); err == nil || !strings.Contains(err.Error(), "relays only") {
		t.Errorf("a host behind a relay: %v", err)
	}
}

// TestSlowVisits take no more places than there are, end when the host does, and hurt no session.
func TestSlowVisits(t *testing.T) {
	await.NoLeaks(t)
	begun := make(chan struct{}, 2*visitsMax)
	h := start(t, func(c *Config) {
		c.Visit = func(ctx context.Context, _ string, _ []byte) []byte {
			begun <- struct{}{}
			<-ctx.Done()
			return nil
		}
	})
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	ended := make(chan error, 2*visitsMax)
	for range 2 * visitsMax {
		go func() {
			_, err := Visit(ctx, visitor(h), nil, h.Addrs()...)
			ended <- err
		}()
	}
	for range visitsMax {
		<-begun
	}
	for range visitsMax {
		if err := <-ended; err == nil {
			t.Error("more are served than there are places")
		}
	}
	if len(begun) != 0 {
		t.Errorf("%d more were begun than there are places", len(begun))
	}
	member := start(t)
	if _, err := member.Dial(t.Context(), h.Addrs()...); err != nil {
		t.Errorf("beside slow visits nobody gets in: %v", err)
	}
	cancel()
	for range visitsMax {
		<-ended
	}
}
