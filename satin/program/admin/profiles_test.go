package admin

import (
	"context"
	"io"
	"net"
	"net/http"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"testing"
)

// TestProfiles: a process tells what it computes to who asks at its socket, for as long as the
// server is there, and to one at a time.
func TestProfiles(t *testing.T) {
	folder := t.TempDir()
	s, err := Listen(folder, &fakeNode{})
	if err != nil {
		t.Fatal(err)
	}
	c := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", filepath.Join(folder, SocketFile))
	}}}
	get := func(path string) (int, string) {
		t.Helper()
		r, err := c.Get("http://node/profile/" + path)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, _ := io.ReadAll(r.Body)
		return r.StatusCode, string(text)
	}
	for path, want := range map[string]string{
		"goroutine?debug=1": "goroutine profile: total ", "heap?debug=1": "heap profile: ", "goroutine": "\x1f\x8b", "cpu?seconds=1": "\x1f\x8b",
	} {
		if code, said := get(path); code != 200 || !strings.HasPrefix(said, want) {
			t.Errorf("%s: %d, %.40q", path, code, said)
		}
	}
	for path, want := range map[string]int{"nothing": 404, "cpu?seconds=0": 400, "cpu?seconds=301": 400, "cpu?seconds=x": 400} {
		if code, said := get(path); code != want {
			t.Errorf("%s: %d, %s", path, code, said)
		}
	}
	if err := pprof.StartCPUProfile(io.Discard); err != nil {
		t.Fatal(err)
	}
	if code, said := get("cpu?seconds=1"); code != http.StatusConflict || !strings.Contains(said, "already") {
		t.Errorf("a second one: %d, %s", code, said)
	}
	pprof.StopCPUProfile()
	over := make(chan struct{})
	go func() { // ends with the server
		defer close(over)
		for code := http.StatusConflict; code == http.StatusConflict; {
			r, err := c.Get("http://node/profile/cpu?seconds=300")
			if err != nil {
				return
			}
			io.Copy(io.Discard, r.Body)
			r.Body.Close()
			code = r.StatusCode
		}
	}()
	for pprof.StartCPUProfile(io.Discard) == nil { // until that watches
		pprof.StopCPUProfile()
	}
	s.Close()
	<-over
}
