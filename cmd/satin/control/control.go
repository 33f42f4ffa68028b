// Package control lets commands talk to the node that runs in the same state folder: ask who is there and what is
// computed, and tell it to leave, to let others leave, to bar.
//
// A node [Listen]s on a unix socket in its state folder that only its owner can open; a command [Ask]s or [Tell]s. A
// request is one line of JSON. The answer to a question is one line too; a node that is told to do something answers
// with a line for each thing that it wants to say, as it happens, and a last one that says how it ended.
package control

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"time"

	"satingrid/satin"
)

const (
	// SocketFile is the socket's name in the state folder.
	SocketFile = "control.sock"

	patience   = 3 * time.Second // for one question: a node that computes on all cores still answers in milliseconds
	requestMax = 4 << 10
	answerMax  = 4 << 20 // some thousand members with all their addresses
	asksMax    = 16      // at a time
)

// ErrNoNode says that no node runs with the state folder.
var ErrNoNode = errors.New("no node runs")

// Request is what a command wants. Do is "" for Ask.
type Request struct {
	Do       Deed          `json:"do,omitempty"`
	Peers    []string      `json:"peers,omitempty"`    // by name or id; of Leave and Kick
	Site     string        `json:"site,omitempty"`     // whose peers leave too
	Self     bool          `json:"self,omitempty"`     // the node leaves too
	To       string        `json:"to,omitempty"`       // the site where the heirs shall be; of Leave: "" for any
	Deadline time.Duration `json:"deadline,omitempty"` // for each peer that leaves
	Wait     bool          `json:"wait,omitempty"`     // until they have left
	Undo     bool          `json:"undo,omitempty"`     // of Kick
	Run      string        `json:"run,omitempty"`      // by its id; of Cancel
}

// Deed is what a node is told to do.
type Deed string

// The deeds.
const (
	Leave   Deed = "leave"
	Migrate Deed = "migrate" // all peers of Site, once To has a peer
	Kick    Deed = "kick"
	Cancel  Deed = "cancel"
)

// Failure is how a deed ended, when it failed.
type Failure struct {
	Code int // the command's exit code
	Text string
}

func (f *Failure) Error() string { return f.Text }

// progress is a line of the answer to a deed: something to say, or the end.
type progress struct {
	Say   string `json:"say,omitempty"`
	Done  bool   `json:"done,omitempty"`
	Code  int    `json:"code,omitempty"`  // of an end that is a failure …
	Error string `json:"error,omitempty"` // … and why it is one
}

// Status is what a node tells of itself and its grid.
type Status struct {
	Name    string           `json:"name"`
	ID      string           `json:"id"`
	Site    string           `json:"site"`
	Build   string           `json:"build"` // its digest; all that are members have it
	Grid    string           `json:"grid"`
	PID     int              `json:"pid"`
	Uptime  float64          `json:"uptime_seconds"`
	Addrs   []string         `json:"addrs"`
	Others  []string         `json:"others,omitempty"` // where other hosts of the grid were reached
	Members []satin.Member   `json:"members"`
	Runs    []satin.RunStats `json:"runs"`
}

// Node is what a Server speaks for.
type Node interface {
	Status() Status

	// Do does what is asked, and says what happens meanwhile. Its context ends when nobody listens any more.
	// A *Failure is reported as it is.
	Do(ctx context.Context, r Request, say func(line string)) error
}

// Server answers for a node.
type Server struct {
	listener net.Listener
	node     Node
	ctx      context.Context // ends with Close
	cancel   context.CancelFunc
	crew     sync.WaitGroup
}

// Listen answers what is asked in this state folder, until Close.
func Listen(folder string, node Node) (*Server, error) {
	path := filepath.Join(folder, SocketFile)
	// The folder belongs to this process, by the lock on the peer's key, so a socket there is a dead node's.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("control: %w", err)
	}
	listener, err := listenPrivately(path)
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	s := &Server{listener: listener, node: node}
	s.ctx, s.cancel = context.WithCancel(context.Background())
	s.crew.Go(s.accept)
	return s, nil
}

// listenPrivately makes the socket under a name in a folder that others cannot enter, and then gives it its
// place: at no moment can anybody else open it.
func listenPrivately(path string) (net.Listener, error) {
	private, err := os.MkdirTemp(filepath.Dir(path), ".c") // 0700
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(private)
	made := filepath.Join(private, "s")
	listener, err := net.Listen("unix", made)
	if err != nil {
		return nil, err
	}
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	if err = os.Chmod(made, 0o600); err == nil {
		err = os.Rename(made, path)
	}
	if err != nil {
		listener.Close()
		return nil, err
	}
	return &placed{listener, path}, nil
}

// placed is a listener whose socket was moved.
type placed struct {
	net.Listener
	path string
}

func (p *placed) Close() error {
	return errors.Join(os.Remove(p.path), p.Listener.Close())
}

func (s *Server) accept() {
	slots := make(chan struct{}, asksMax)
	for {
		conn, err := s.listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			time.Sleep(100 * time.Millisecond) // out of files: others may give some back
			continue
		}
		slots <- struct{}{}
		s.crew.Go(func() {
			defer func() { <-slots }()
			defer conn.Close()
			conn.SetDeadline(time.Now().Add(patience))
			s.answer(conn)
		})
	}
}

func (s *Server) answer(conn net.Conn) {
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, requestMax)
	var r Request
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &r) != nil {
		return
	}
	switch r.Do {
	case "":
		json.NewEncoder(conn).Encode(s.node.Status())
	case Leave, Migrate, Kick, Cancel:
		s.do(conn, r)
	}
}

// do lets the node do something for as long as somebody listens.
func (s *Server) do(conn net.Conn, r Request) {
	conn.SetDeadline(time.Time{})
	ctx, cancel := context.WithCancel(s.ctx)
	defer cancel()
	s.crew.Go(func() { // ends with the connection, which answer's caller closes
		conn.Read(make([]byte, 1))
		cancel()
	})
	tell := func(p progress) {
		conn.SetWriteDeadline(time.Now().Add(patience))
		if json.NewEncoder(conn).Encode(p) != nil {
			cancel()
		}
	}
	end := progress{Done: true}
	if err := s.node.Do(ctx, r, func(line string) { tell(progress{Say: line}) }); err != nil {
		end.Code, end.Error = 1, err.Error()
		var failure *Failure
		if errors.As(err, &failure) {
			end.Code = failure.Code
		}
	}
	tell(end)
}

// Close ends the answering, what is being done included, and takes the socket away.
func (s *Server) Close() error {
	err := s.listener.Close()
	s.cancel()
	s.crew.Wait()
	return err
}
