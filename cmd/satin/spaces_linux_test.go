package main

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// space is a machine of its own on the wire of a campaign: a network namespace, the node in it and
// the folder that it keeps.
type space struct {
	ns, ip string
	folder string
	node   *node // nil: none runs there
	paused bool  // by a signal
}

// spaces are machines that reach each other over one bridge, until packets between some
// of them are dropped.
type spaces struct {
	t     *testing.T
	hub   string
	all   []*space
	addrs int // that were given out
}

// newSpaces makes so many machines, or says why that is not possible here.
func newSpaces(t *testing.T, n int) (*spaces, error) {
	if os.Getuid() != 0 {
		return nil, errors.New("network namespaces need root")
	}
	for _, tool := range []string{"ip", "nft"} {
		if _, err := exec.LookPath(tool); err != nil {
			return nil, errors.New("not installed here: " + tool)
		}
	}
	name := fmt.Sprintf("satin-cmd-%d-%d-", os.Getpid(), machinesMade.Add(1))
	s := &spaces{t: t, hub: name + "hub"}
	if err := s.namespace(s.hub); err != nil {
		return nil, err
	}
	for _, line := range []string{"link add wire type bridge", "link set wire up", "link set lo up"} {
		if err := s.ip(s.hub, line); err != nil {
			return nil, err
		}
	}
	for i := range n {
		x := &space{ns: name + fmt.Sprint(i), folder: filepath.Join(t.TempDir(), "state")}
		if err := s.namespace(x.ns); err != nil {
			return nil, err
		}
		port := fmt.Sprint("port", i)
		for _, do := range [][2]string{
			{s.hub, "link add " + port + " type veth peer name eth0 netns " + x.ns}, {s.hub, "link set " + port + " master wire"},
			{s.hub, "link set " + port + " up"}, {x.ns, "link set lo up"}, {x.ns, "link set eth0 up"},
		} {
			if err := s.ip(do[0], do[1]); err != nil {
				return nil, err
			}
		}
		if err := s.moveTo(x, s.freeAddr()); err != nil {
			return nil, err
		}
		if err := nft(x.ns, "add table inet cut", "add chain inet cut in { type filter hook input priority 0 ; }"); err != nil {
			return nil, err
		}
		s.all = append(s.all, x)
	}
	return s, nil
}

func (s *spaces) namespace(ns string) error {
	if err := sh("ip", "netns", "add", ns); err != nil {
		return err
	}
	s.t.Cleanup(func() { exec.Command("ip", "netns", "del", ns).Run() })
	return nil
}

func (s *spaces) ip(ns, line string) error {
	return sh(append([]string{"ip", "-n", ns}, strings.Fields(line)...)...)
}

// freeAddr is an address that nobody has had.
func (s *spaces) freeAddr() string {
	s.addrs++
	return fmt.Sprintf("10.80.%d.%d", s.addrs/200, 1+s.addrs%200)
}

// moveTo gives a machine another address.
func (s *spaces) moveTo(x *space, ip string) error {
	if x.ip != "" {
		if err := s.ip(x.ns, "addr del "+x.ip+"/16 dev eth0"); err != nil {
			return err
		}
	}
	x.ip = ip
	return s.ip(x.ns, "addr add "+ip+"/16 dev eth0")
}

// drop loses everything that one machine sends another.
func (s *spaces) drop(from, to *space) error {
	return nft(to.ns, "add rule inet cut in ip saddr "+from.ip+" drop")
}

// lose loses a share of everything that reaches a machine.
func (s *spaces) lose(x *space, percent int) error {
	return nft(x.ns, fmt.Sprintf("add rule inet cut in iifname eth0 numgen random mod 100 < %d drop", percent))
}

// heal lets everything pass.
func (s *spaces) heal() error {
	var all error
	for _, x := range s.all {
		all = errors.Join(all, nft(x.ns, "flush chain inet cut in"))
	}
	return all
}
