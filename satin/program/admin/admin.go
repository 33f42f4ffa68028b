// Package admin lets commands talk to the node that runs in the same state folder: ask who is
// there and what is computed, and tell it to leave, to let others leave, to bar.
//
// A node [Listen]s on a unix socket in its state folder that only its owner can open; a command
// [Ask]s or [Tell]s. They speak HTTP, so that any client can look inside:
//
//	curl --unix-socket ~/.local/state/satin/control.sock http://node/status
//
// GET /status answers with a [Status], in JSON, and GET /story?run=RUN&from=0 with what has
// happened to a run, a [runs.Story]. POST /do takes a [Request], in JSON too, and
// answers with a line for each thing that the node wants to say, as it happens, and a last one
// that says how it ended. Where the node itself leaves, and that is waited for, the answer is over
// when its process is. GET /profile/cpu?seconds=9, and /profile/NAME for those of runtime/pprof,
// answer with profiles of the process, which nobody else can ask for.
//
// # Costs
//
// The program is 1.5 MB longer by net/http's two ends.
package admin

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"time"

	"satingrid/satin"
	"satingrid/satin/program/runs"
)

const (
	// SocketFile is the socket's name in the state folder.
	SocketFile = "control.sock"

	// for one question: a node that computes on all cores still answers in milliseconds
	patience   = 3 * time.Second
	requestMax = 4 << 10
	answerMax  = 4 << 20 // some thousand members with all their addresses
	asksMax    = 16      // at a time
)

// ErrNoNode says that no node runs with the state folder, and ErrNotYours that this user may not
// ask whether one does.
var (
	ErrNoNode   = errors.New("no node runs")
	ErrNotYours = errors.New("this user may not ask a node")
)

// Request is what a command tells a node.
type Request struct {
	Do    Action   `json:"do"`
	Peers []string `json:"peers,omitempty"` // by name or id; of Leave and Kick
	Site  string   `json:"site,omitempty"`  // whose peers leave too
	Self  bool     `json:"self,omitempty"`  // the node leaves too
	// the site where the heirs shall be; of Leave: "" for any
	To       string        `json:"to,omitempty"`
	Deadline time.Duration `json:"deadline,omitempty"` // for each peer that leaves
	Wait     bool          `json:"wait,omitempty"`     // until they have left
	// not before the grid has had no run on for a while; of Leave
	UntilIdle bool   `json:"until_idle,omitempty"`
	Undo      bool   `json:"undo,omitempty"`  // of Kick
	Run       string `json:"run,omitempty"`   // by its id; of Cancel and Share
	Share     int    `json:"share,omitempty"` // of the workers
}

// Action is what a node is told to do.
type Action string

// The actions.
const (
	Leave   Action = "leave"
	Migrate Action = "migrate" // all peers of Site, once To has a peer
	Kick    Action = "kick"
	Cancel  Action = "cancel"
	Share   Action = "share"
)

// Failure is how an action ended, when it failed.
type Failure struct {
	Code int // the command's exit code
	Text string
}

func (f *Failure) Error() string { return f.Text }

// reply is a line of the answer to an action: something to say, or the end.
type reply struct {
	Say   string `json:"say,omitempty"`
	Done  bool   `json:"done,omitempty"`
	Code  int    `json:"code,omitempty"`  // of an end that is a failure …
	Error string `json:"error,omitempty"` // … and why it is one
	// of an end that was waited for: the process that ends now, and with it the connection
	Ends int `json:"ends,omitempty"`
}

// storyReply is the answer to a question for a run's, or why there is none.
type storyReply struct {
	runs.Story
	Code  int    `json:"code,omitempty"`
	Error string `json:"error,omitempty"`
}

// Status is what a node tells of itself and its grid.
type Status struct {
	Name   string   `json:"name"`
	ID     string   `json:"id"`
	Site   string   `json:"site"`
	Build  string   `json:"build"` // its digest; all that are members have it
	Grid   string   `json:"grid"`
	PID    int      `json:"pid"`
	Uptime float64  `json:"uptime_seconds"`
	Addrs  []string `json:"addrs"`
	// where other hosts of the grid were reached
	Others  []string         `json:"others,omitempty"`
	Members []satin.Member   `json:"members"`
	Runs    []satin.RunStats `json:"runs"`
	Totals  satin.Totals     `json:"totals"`
}

// Node is what a Server speaks for.
type Node interface {
	Status() Status

	// Story is what has happened to the run that a word means, from a line on.
	Story(word string, from int) (runs.Story, error)

	// Do does what is asked, and says what happens meanwhile. Its context ends when nobody
	// listens any more. A *Failure is reported as it is.
	Do(ctx context.Context, r Request, say func(line string)) error

	// Over tells whether the node has left, or ended otherwise: then its process ends, too.
	Over() bool
}

// Server answers for a node.
type Server struct {
	http       http.Server
	node       Node
	slots      chan struct{}
	cancel     context.CancelFunc // of what is being done
	goroutines sync.WaitGroup
}

// Listen answers what is asked in this state folder, until Close.
func Listen(folder string, node Node) (*Server, error) {
	path := filepath.Join(folder, SocketFile)
	// The folder belongs to this process, by the lock on the peer's key, so a socket
	// there is a dead node's.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("control: %w", err)
	}
	listener, err := listenPrivately(path)
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	s := &Server{node: node, slots: make(chan struct{}, asksMax)}
	ctx, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	routes := http.NewServeMux()
	routes.HandleFunc("GET /status", s.apart(s.status))
	routes.HandleFunc("GET /story", s.apart(s.story))
	routes.HandleFunc("POST /do", s.apart(s.do))
	routes.HandleFunc("GET /profile/{name}", s.apart(s.profile))
	s.http = http.Server{
		Handler: routes, MaxHeaderBytes: requestMax, ReadTimeout: patience,
		BaseContext: func(net.Listener) context.Context { return ctx },
		ErrorLog:    log.New(io.Discard, "", 0), // whoever asks nonsense is told
	}
	s.http.SetKeepAlivesEnabled(false) // each command asks once
	s.goroutines.Go(func() { s.http.Serve(listener) })
	return s, nil
}

// listenPrivately makes the socket under a name in a folder that others cannot enter, and then
// gives it its place: at no moment can anybody else open it.
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

// apart answers on a goroutine of its own, some at a time: net/http would go on after a panic,
// and a node must not.
func (s *Server) apart(answer http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		select {
		case s.slots <- struct{}{}:
		case <-r.Context().Done():
			return
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			answer(w, r)
		}()
		<-done
		<-s.slots
	}
}

func (s *Server) status(w http.ResponseWriter, _ *http.Request) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(patience))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(s.node.Status())
}

// story tells what has happened to a run.
func (s *Server) story(w http.ResponseWriter, asked *http.Request) {
	http.NewResponseController(w).SetWriteDeadline(time.Now().Add(patience))
	from, err := strconv.Atoi(asked.FormValue("from"))
	if err != nil {
		http.Error(w, "from is the number of a line", http.StatusBadRequest)
		return
	}
	var told storyReply
	if told.Story, err = s.node.Story(asked.FormValue("run"), from); err != nil {
		told.Code, told.Error = failure(err)
	}
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(told)
}

// do lets the node do something for as long as somebody listens.
func (s *Server) do(w http.ResponseWriter, asked *http.Request) {
	var r Request
	// To its end: net/http notices that the other end hangs up behind that only.
	text, err := io.ReadAll(http.MaxBytesReader(w, asked.Body, requestMax))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil || !slices.Contains([]Action{Leave, Migrate, Kick, Cancel, Share}, r.Do) {
		http.Error(w, "this node cannot do that", http.StatusBadRequest)
		return
	}
	ctx, cancel := context.WithCancel(asked.Context())
	defer cancel()
	w.Header().Set("Content-Type", "application/x-ndjson")
	line, control := json.NewEncoder(w), http.NewResponseController(w)
	control.SetReadDeadline(time.Time{}) // it may take long
	tell := func(p reply) {
		control.SetWriteDeadline(time.Now().Add(patience))
		if line.Encode(p) != nil || control.Flush() != nil {
			cancel()
		}
	}
	end := reply{Done: true}
	if err := s.node.Do(ctx, r, func(line string) { tell(reply{Say: line}) }); err != nil {
		end.Code, end.Error = failure(err)
	}
	if r.Wait && s.node.Over() {
		end.Ends = os.Getpid()
	}
	tell(end)
	if end.Ends != 0 {
		keepOpen(control)
	}
}

// failure is an error as it is told.
func failure(err error) (code int, text string) {
	var f *Failure
	if errors.As(err, &f) {
		return f.Code, f.Text
	}
	return 1, err.Error()
}

// Close ends the answering, what is being done included, and takes the socket away.
func (s *Server) Close() error {
	s.cancel()
	err := s.http.Shutdown(context.Background())
	s.goroutines.Wait()
	return err
}
