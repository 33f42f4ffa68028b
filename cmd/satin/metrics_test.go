//go:build unix

package main

import (
	"context"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"satingrid/satin/await"
)

// TestMetrics: a node tells whoever asks what was computed and who was lost, and by its own socket
// alone the profiles of Go.
func TestMetrics(t *testing.T) {
	t.Parallel()
	a := startNode(t, "--site", "a", "--metrics", "localhost:0")
	a.awaitSaid(t, "/metrics\n")
	said := regexp.MustCompile(`satin: metrics are at (http://\S+)/metrics\n`).FindStringSubmatch(a.said(t))
	if said == nil {
		t.Fatalf("it does not say where its metrics are: %s", a.said(t))
	}
	ask := func(c *http.Client, url string) (int, string) {
		r, err := c.Get(url)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		text, err := io.ReadAll(r.Body)
		if err != nil {
			t.Fatal(err)
		}
		return r.StatusCode, string(text)
	}
	b := startNode(t, "--site", "b", "--join", a.ticket)
	if got := runBinary(t, nil, "run", "nqueens", "11", "--join", a.ticket); got.code != 0 {
		t.Fatalf("exit %d, %s", got.code, got.err)
	}
	b.kill()
	await.Until(t, "the loss is told", func() bool {
		_, told := ask(http.DefaultClient, said[1]+"/metrics")
		return strings.Contains(told, "\nsatin_peers_lost_total{how=\"kill\"} 1\n")
	})
	_, told := ask(http.DefaultClient, said[1]+"/metrics")
	for _, want := range []string{
		`satin_node_info{build="[^"]+",grid="[^"]+",name="` + a.name + `",site="a"} 1`, `satin_jobs_total [1-9]\d*`, `satin_busy_seconds_total [0.e-]*[1-9].*`,
		`satin_members{site="a",state="here"} 1`, `satin_workers{site="a"} 1`, `go_goroutines \d+`,
	} {
		if !regexp.MustCompile(`(?m)^` + want + `$`).MatchString(told) {
			t.Errorf("nothing is told as %s", want)
		}
	}
	if code, said := ask(http.DefaultClient, said[1]+"/readyz"); code != 200 {
		t.Errorf("it is not ready: %s", said)
	}
	inside := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
		var d net.Dialer
		return d.DialContext(ctx, "unix", filepath.Join(a.folder, "control.sock"))
	}}}
	if code, said := ask(inside, "http://node/profile/goroutine?debug=1"); code != 200 || !strings.Contains(said, "goroutine profile: total ") {
		t.Errorf("profiles: %d, %.100s", code, said)
	}
	if code, _ := ask(http.DefaultClient, said[1]+"/profile/goroutine"); code != 404 {
		t.Errorf("anybody can have the profiles: %d", code)
	}
	// and no program that serves HTTP opens them unasked
	if _, pattern := http.DefaultServeMux.Handler(httptest.NewRequest("GET", "/debug/pprof/", nil)); pattern != "" {
		t.Errorf("all that serve HTTP answer at %s", pattern)
	}
	a.stop(t)
}
