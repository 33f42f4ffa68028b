package p2p

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"satingrid/satin/await"
)

func TestIdentityIsMadeOnceAndKept(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	before, err := PeerID(dir)
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(filepath.Join(dir, "identity.key"))
	if err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Fatalf("the key: %v, %v", info, err)
	}
	h := start(t, func(c *Config) { c.Dir = dir })
	if h.ID() != before {
		t.Fatalf("%s became %s", before, h.ID())
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".*")); len(left) > 0 {
		t.Fatalf("left behind: %v", left)
	}
	c := loopback()
	c.Dir = dir
	if _, err := Open(t.Context(), c); !errors.Is(err, ErrStateBusy) && (runtime.GOOS == "linux" || runtime.GOOS == "darwin") {
		t.Fatalf("a second process with one identity: %v", err)
	}
	h.Close()
	start(t, func(c *Config) { c.Dir = dir })
}

func TestABrokenKeyRefusesToStart(t *testing.T) {
	c := loopback()
	c.Dir = t.TempDir()
	os.WriteFile(filepath.Join(c.Dir, "identity.key"), []byte("not a key"), 0o600)
	if _, err := Open(t.Context(), c); err == nil || !strings.Contains(err.Error(), "identity.key") {
		t.Fatalf("Open: %v", err)
	}
}

func TestWithoutADiskAHostWarnsAndWorks(t *testing.T) {
	var log bytes.Buffer
	file := filepath.Join(t.TempDir(), "file")
	os.WriteFile(file, nil, 0o600)
	h := start(t, func(c *Config) {
		c.Dir = filepath.Join(file, "state") // below a file nothing can be made
		c.Log = slog.New(slog.NewTextHandler(&log, nil))
	})
	if h.ID() == "" || !strings.Contains(log.String(), "new identity at each start") {
		t.Fatalf("id %q, log %q", h.ID(), &log)
	}
}

func TestBusyPorts(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	await.NoLeaks(t)
	c := loopback()
	_, port, _ := net.SplitHostPort(l.Addr().String())
	c.Listen = []string{"/ip4/127.0.0.1/tcp/" + port}
	if _, err := Open(t.Context(), c); !errors.Is(err, ErrPortBusy) || !strings.Contains(err.Error(), port) {
		t.Errorf("a busy port that was asked for: %v", err)
	}
	// When none was asked for, a second host takes another port.
	for range 2 {
		h := start(t, func(c *Config) { c.Listen = nil })
		if len(h.Addrs()) == 0 {
			t.Error("a host that listens nowhere")
		}
	}
	for _, bad := range []string{"4001", "/ip4/127.0.0.1", "/ip4/192.0.2.1/tcp/0", "/ip4/127.0.0.1/udp/0/quic-v1"} {
		c.Listen = []string{bad}
		if _, err := Open(t.Context(), c); err == nil || errors.Is(err, ErrPortBusy) {
			t.Errorf("Listen on %q: %v", bad, err)
		}
	}
}

func TestConfigIsChecked(t *testing.T) {
	for what, change := range map[string]func(*Config){
		"no secret":        func(c *Config) { c.Secret = nil },
		"a short secret":   func(c *Config) { c.Secret = c.Secret[:31] },
		"no grid":          func(c *Config) { c.Grid = "" },
		"a long grid":      func(c *Config) { c.Grid = strings.Repeat("x", GridMax+1) },
		"a bad allow-list": func(c *Config) { c.Allow = []string{"me"} },
		"a bad bar":        func(c *Config) { c.Barred = []string{"you"} },
	} {
		c := loopback()
		c.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
		change(&c)
		if h, err := Open(t.Context(), c); err == nil {
			h.Close()
			t.Errorf("Open with %s succeeded", what)
		}
	}
}

func TestAMuteHostDialsAndIsNotDialled(t *testing.T) {
	a := start(t, func(c *Config) { c.Mute = true })
	b := start(t)
	if len(a.Addrs()) != 0 || len(a.swarm.ListenAddresses()) != 0 {
		t.Fatal("it listens")
	}
	join(t, a, b)
	if err := b.Send(a.ID(), []byte("back")); err != nil {
		t.Fatal(err)
	}
	a.saw.await(t, "frame "+b.ID()+" back", 1)
}

// six skips a test where there is no IPv6, and is a Config with no other.
func six(t *testing.T) func(*Config) {
	t.Helper()
	l, err := net.Listen("tcp", "[::1]:0")
	if err != nil {
		t.Skip("no IPv6 loopback here: ", err)
	}
	l.Close()
	return func(c *Config) { c.Listen = []string{"/ip6/::1/tcp/0"} }
}

func TestIPv6(t *testing.T) {
	only := six(t)
	a, b := start(t, only), start(t, only)
	join(t, a, b)
}
