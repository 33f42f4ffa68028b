package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"

	"golang.org/x/sys/unix"
)

const (
	strangersPerSecond = 300
	strangersFirst     = 1000 // more than have a place at the handshake
	strangersOpen      = 2000 // that are not closed by the stranger
)

// strange lets a machine connect to an address again and again from one that it has in a range of
// its own, and say nothing. It counts.
func strange(t *testing.T, ns, range24, to string) *atomic.Int64 {
	t.Helper()
	for i := range 10 {
		if err := sh("ip", "-n", ns, "addr", "add", fmt.Sprintf("%s.%d/32", range24, 1+i), "dev", "eth0"); err != nil {
			t.Skip("not possible in network namespaces here: ", err)
		}
	}
	made, stop, ended := new(atomic.Int64), make(chan struct{}), make(chan error)
	t.Cleanup(func() {
		close(stop)
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
	go func() { ended <- within(ns, func() error { return comeAndGo(range24, to, made, stop) }) }()
	return made
}

// within does something whose sockets are those of a namespace. Its goroutine is to end then:
// it keeps the thread.
func within(ns string, do func() error) error {
	f, err := os.Open("/run/netns/" + ns)
	if err != nil {
		return err
	}
	defer f.Close()
	runtime.LockOSThread() // and not unlocked: the thread ends with the goroutine
	if err := unix.Setns(int(f.Fd()), unix.CLONE_NEWNET); err != nil {
		return err
	}
	return do()
}

// comeAndGo connects until it is told to stop.
func comeAndGo(range24, to string, made *atomic.Int64, stop chan struct{}) error {
	var open []net.Conn
	defer func() {
		for _, c := range open {
			c.Close()
		}
	}()
	pace := time.NewTicker(time.Second / strangersPerSecond)
	defer pace.Stop()
	for {
		select {
		case <-stop:
			return nil
		case <-pace.C:
		}
		from := net.ParseIP(fmt.Sprintf("%s.%d", range24, 1+made.Load()%10))
		c, err := (&net.Dialer{LocalAddr: &net.TCPAddr{IP: from}, Timeout: time.Second}).Dial("tcp", to)
		if err != nil {
			continue // it does not count
		}
		made.Add(1)
		if open = append(open, c); len(open) > strangersOpen {
			open[0].Close()
			open = open[1:]
		}
	}
}

// stays connects, says nothing, and tells whether it is let wait for a second.
func stays(to string) error {
	c, err := net.Dial("tcp", to)
	if err != nil {
		return err
	}
	defer c.Close()
	if err := c.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
		return err
	}
	if _, err := io.Copy(io.Discard, c); !errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("hung up on: %v", err)
	}
	return nil
}

// Strangers connect to the only member 300 times a second from one range of addresses, and say
// nothing. A host from elsewhere, of which nothing is known there, is not hung up on, and joins.
func TestSilentStrangersKeepNobodyOut(t *testing.T) {
	t.Parallel()
	at, bt, ct := machines(t)
	b := startNodeBy(t, inside(bt), "--site", "b")
	if err := sh("ip", "-n", bt, "route", "add", "10.78.1.0/24", "dev", "wire"); err != nil {
		t.Skip("not possible in network namespaces here: ", err)
	}
	_, port, _ := strings.Cut(b.addr, "/tcp/")
	port, _, _ = strings.Cut(port, "/")
	made := strange(t, ct, "10.78.1", "10.78.0.2:"+port)
	await.UntilOr(t, func() bool { return made.Load() >= strangersFirst }, func() string {
		return fmt.Sprintf("%d strangers have come", made.Load())
	})
	before := made.Load()
	waited := make(chan error)
	for range 8 {
		go func() { waited <- within(at, func() error { return stays("10.78.0.2:" + port) }) }()
	}
	for range 8 {
		if err := <-waited; err != nil {
			t.Error("from elsewhere: ", err)
		}
	}
	a := startNodeBy(t, inside(at), "--site", "a", "--join", b.ticket)
	a.awaitMembers(t, a, b)
	b.awaitMembers(t, a, b)
	if made.Load() == before {
		t.Error("no stranger came meanwhile")
	}
	t.Logf("%d strangers have come", made.Load())
}
