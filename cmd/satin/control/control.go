// Package control lets commands ask the node that runs in the same state folder: who is there, what is computed.
//
// A node [Listen]s on a unix socket in its state folder that only its owner can open; a command [Ask]s. A request
// is one line of JSON and so is its answer.
package control

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"sync"
	"syscall"
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

type request struct {
	Ask string `json:"ask"`
}

// Status is what a node tells of itself and its grid.
type Status struct {
	Name    string           `json:"name"`
	ID      string           `json:"id"`
	Site    string           `json:"site"`
	Grid    string           `json:"grid"`
	PID     int              `json:"pid"`
	Uptime  float64          `json:"uptime_seconds"`
	Addrs   []string         `json:"addrs"`
	Members []satin.Member   `json:"members"`
	Runs    []satin.RunStats `json:"runs"`
}

// Server answers questions.
type Server struct {
	listener net.Listener
	status   func() Status
	crew     sync.WaitGroup
}

// Listen answers questions asked in this state folder, until Close.
func Listen(folder string, status func() Status) (*Server, error) {
	path := filepath.Join(folder, SocketFile)
	// The folder belongs to this process, by the lock on the peer's key, so a socket there is a dead node's.
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("control: %w", err)
	}
	listener, err := listenPrivately(path)
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	s := &Server{listener: listener, status: status}
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
	var r request
	if !lines.Scan() || json.Unmarshal(lines.Bytes(), &r) != nil || r.Ask != "status" {
		return
	}
	json.NewEncoder(conn).Encode(s.status())
}

// Close ends the answering and takes the socket away.
func (s *Server) Close() error {
	err := s.listener.Close()
	s.crew.Wait()
	return err
}

// Ask asks the node that runs with a state folder.
func Ask(folder string) (Status, error) {
	var status Status
	path := filepath.Join(folder, SocketFile)
	conn, err := net.DialTimeout("unix", path, patience)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ECONNREFUSED) {
		return status, fmt.Errorf("%w with state folder %s; start one with satin node, or name another with --state", ErrNoNode, folder)
	}
	if err != nil {
		return status, fmt.Errorf("control: %w", err)
	}
	defer conn.Close()
	conn.SetDeadline(time.Now().Add(patience))
	if err := json.NewEncoder(conn).Encode(request{"status"}); err != nil {
		return status, fmt.Errorf("control: %w", err)
	}
	lines := bufio.NewScanner(conn)
	lines.Buffer(nil, answerMax)
	if !lines.Scan() {
		return status, errors.Join(errors.New("control: the node does not answer"), lines.Err())
	}
	if err := json.Unmarshal(lines.Bytes(), &status); err != nil {
		return status, fmt.Errorf("control: the node's answer cannot be read; is it the same build? %w", err)
	}
	return status, nil
}
