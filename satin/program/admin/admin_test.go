package admin

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/runs"
)

// fakeNode is a node in the hands of a test.
type fakeNode struct {
	status Status
	do     func(ctx context.Context, r Request, say func(string)) error
	over   bool
}

func (f *fakeNode) Status() Status { return f.status }

func (f *fakeNode) Over() bool { return f.over }

// Story tells of one run alone.
func (f *fakeNode) Story(word string, from int) (runs.Story, error) {
	if word != "ab&c" {
		return runs.Story{}, &Failure{2, "there is no run " + word}
	}
	return runs.Story{Run: "abcd", Lines: []runs.Happening{{Event: "lost", Peer: "a/1"}}, Next: from + 1, Over: true}, nil
}

func (f *fakeNode) Do(ctx context.Context, r Request, say func(string)) error {
	return f.do(ctx, r, say)
}

// TestTell hears a node out: what it says while it does something, and how that ends.
func TestTell(t *testing.T) {
	folder := t.TempDir()
	want := Request{Do: Migrate, Site: "a", To: "b", Deadline: time.Second, Wait: true}
	node := &fakeNode{do: func(_ context.Context, r Request, say func(string)) error {
		if !reflect.DeepEqual(r, want) {
			return &Failure{2, fmt.Sprintf("%+v", r)}
		}
		say("one")
		say("two")
		return nil
	}}
	s, err := Listen(folder, node)
	if err != nil {
		t.Fatal(err)
	}
	var heard []string
	if err := Tell(context.Background(), folder, want, func(line string) { heard = append(heard, line) }); err != nil || !slices.Equal(heard, []string{"one", "two"}) {
		t.Errorf("%q, %v", heard, err)
	}
	var failure *Failure
	if err := Tell(context.Background(), folder, Request{Do: Kick}, nil); !errors.As(err, &failure) || failure.Code != 2 {
		t.Errorf("a failure is told as %v", err)
	}

	ended := make(chan struct{}, 2)
	node.do = func(ctx context.Context, _ Request, say func(string)) error {
		say("begun")
		<-ctx.Done()
		ended <- struct{}{}
		return ctx.Err()
	}
	ctx, cancel := context.WithCancel(context.Background())
	if err := Tell(ctx, folder, Request{Do: Leave}, func(string) { cancel() }); !errors.Is(err, context.Canceled) {
		t.Errorf("one that nobody waits for any more ends with %v", err)
	}
	<-ended
	if err := Tell(context.Background(), folder, Request{Do: Leave}, func(string) { go s.Close() }); err == nil {
		t.Error("the end of the node is taken for that of its action")
	}
	<-ended
}

func TestAsk(t *testing.T) {
	folder := t.TempDir()
	if _, err := Ask(folder); !errors.Is(err, ErrNoNode) {
		t.Errorf("without a node: %v", err)
	}
	want := Status{
		Name: "a/1", Grid: "lab", PID: 7, Addrs: []string{"/ip4/127.0.0.1/tcp/1"},
		Members: []satin.Member{{ID: "x", Name: "a/1", Site: "a", State: "here", Workers: 2}},
		Runs:    []satin.RunStats{{Key: [16]byte{1, 2}, Task: "t", Here: true, Progress: 0.5, Jobs: 3, Busy: 1.5}},
	}
	s, err := Listen(folder, &fakeNode{status: want})
	if err != nil {
		t.Fatal(err)
	}
	for range 2 * asksMax {
		if got, err := Ask(folder); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v, %v", got, err)
		}
	}
	path := filepath.Join(folder, SocketFile)
	if info, err := os.Stat(path); runtime.GOOS != "windows" && (err != nil || info.Mode().Perm() != 0o600) {
		t.Errorf("the socket: %v, %v", info, err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if left, _ := os.ReadDir(folder); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
	if _, err := Ask(folder); !errors.Is(err, ErrNoNode) {
		t.Errorf("after its end: %v", err)
	}
}

// TestNodeOfAnotherUser: whose folder it is is said, and not that no node runs.
func TestNodeOfAnotherUser(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may open any socket")
	}
	folder := t.TempDir()
	s, err := Listen(folder, &fakeNode{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if err := os.Chmod(folder, 0); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(folder, 0o700)
	if _, err := Ask(folder); !errors.Is(err, ErrNotYours) {
		t.Errorf("asked: %v", err)
	}
	if err := Tell(t.Context(), folder, Request{Do: Leave}, nil); !errors.Is(err, ErrNotYours) {
		t.Errorf("told: %v", err)
	}
}

// TestStory asks for that of a run from a line on, and hears why there is none.
func TestStory(t *testing.T) {
	folder := t.TempDir()
	s, err := Listen(folder, &fakeNode{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	want := runs.Story{Run: "abcd", Lines: []runs.Happening{{Event: "lost", Peer: "a/1"}}, Next: 8, Over: true}
	if got, err := Story(folder, "ab&c", 7); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v", got, err)
	}
	var failure *Failure
	if _, err := Story(folder, "x", 0); !errors.As(err, &failure) || failure.Code != 2 || failure.Text != "there is no run x" {
		t.Errorf("a run that there is not: %v", err)
	}
}

// TestDeadSocket takes the place of a node that was killed.
func TestDeadSocket(t *testing.T) {
	folder := t.TempDir()
	dead, err := net.Listen("unix", filepath.Join(folder, SocketFile))
	if err != nil {
		t.Skip("no unix sockets here: ", err)
	}
	dead.(*net.UnixListener).SetUnlinkOnClose(false)
	dead.Close()
	if _, err := Ask(folder); !errors.Is(err, ErrNoNode) {
		t.Errorf("a dead node's socket: %v", err)
	}
	s, err := Listen(folder, &fakeNode{status: Status{Name: "new"}})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if got, err := Ask(folder); err != nil || got.Name != "new" {
		t.Errorf("%+v, %v", got, err)
	}
}

func posted(body string) string {
	return fmt.Sprintf("POST /do HTTP/1.0\r\nContent-Length: %d\r\n\r\n%s", len(body), body)
}

// TestNonsense survives what is no question.
func TestNonsense(t *testing.T) {
	folder := t.TempDir()
	s, err := Listen(folder, &fakeNode{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, words := range []string{
		"", "hello\n", "GET /story?run=x&from=y HTTP/1.0\r\n\r\n", "GET / HTTP/1.0\r\n\r\n", "GET /do HTTP/1.0\r\n\r\n", string(make([]byte, 2*requestMax)),
		"GET /status HTTP/1.0\r\nX: " + strings.Repeat("x", 4*requestMax) + "\r\n\r\n",
		posted(`{"do":"dance"}`), posted(`{"do":"leave","site":"` + strings.Repeat("x", requestMax) + `"}`),
	} {
		conn, err := net.Dial("unix", filepath.Join(folder, SocketFile))
		if err != nil {
			t.Fatal(err)
		}
		conn.Write([]byte(words))
		if words == "" {
			conn.Close()
			continue
		}
		conn.SetReadDeadline(time.Now().Add(time.Minute))
		if answer, err := io.ReadAll(conn); err != nil || bytes.Contains(answer, []byte("200 OK")) {
			t.Errorf("%.20q is answered with %.40q, %v", words, answer, err)
		}
		conn.Close()
	}
	if _, err := Ask(folder); err != nil {
		t.Error(err)
	}
}
