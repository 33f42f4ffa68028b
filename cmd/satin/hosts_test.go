//go:build unix

package main

import (
	"fmt"
	"path/filepath"
	"testing"
)

// host is where one node lives, which is started there again and again from one folder.
type host struct {
	*node
	t       *testing.T
	by      []string // the command that starts others there
	folder  string
	listens string       // its address
	moves   func(string) // takes it to another
	// off lets it answer nothing, not even that nobody listens there, until on. On loopback
	// neither is possible: an address of which the node is gone refuses at once.
	off, on func()
	isDark  bool // as they are possible
}

// ground makes hosts, and gives addresses at which nobody was.
type ground func(t *testing.T, n int) (hosts []*host, fresh func() string)

// onLoopback makes hosts that are ports of loopback.
func onLoopback(t *testing.T, n int) (all []*host, fresh func() string) {
	t.Helper()
	dir := t.TempDir()
	for i, addr := range listenAt(t, n) {
		h := &host{t: t, folder: filepath.Join(dir, fmt.Sprint(i)), listens: addr, off: func() {}, on: func() {}}
		h.moves = func(to string) { h.listens = to }
		all = append(all, h)
	}
	return all, func() string { return listenAt(t, 1)[0] }
}

// start starts the node of a host, which answers from now on.
func (h *host) start(args ...string) {
	h.t.Helper()
	if !h.launch(args...) {
		h.t.Fatal("the node ended before it had introduced itself")
	}
}

// launch does so, and is false where the node ends by itself before it is in.
func (h *host) launch(args ...string) (isIn bool) {
	h.t.Helper()
	h.on()
	h.node, isIn = launchNode(h.t, h.by, h.folder, append(args, "--listen", h.listens)...)
	return isIn
}

// leaves has the node leave in order, and its machine switched off then.
func (h *host) leaves() {
	h.end()
	h.off()
}

// dies is a node that is killed, and a machine that loses its power.
func (h *host) dies() {
	h.off()
	h.kill()
}

// nodesOf are the nodes of hosts.
func nodesOf(hosts ...*host) (all []*node) {
	for _, h := range hosts {
		all = append(all, h.node)
	}
	return all
}
