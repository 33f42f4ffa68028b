package dash

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"satingrid/satin/await"
	"satingrid/satin/program/across"
	"satingrid/satin/program/moments"
	"satingrid/satin/program/observe"
	"satingrid/satin/program/recording"
)

// shown is a server that shows a grid of one peer, until nobody answers any more.
func shown(t *testing.T) (s *Dashboard, link string, mute *atomic.Bool) {
	t.Helper()
	mute = new(atomic.Bool)
	s = New(moments.NewLive(func(context.Context) (is observe.Sample, err error) {
		if mute.Load() {
			return is, errors.New("no route to <host>")
		}
		is.Grid = "lab"
		is.Members = []across.Peer{{ID: "x", Name: "a/<1>", Site: "a", State: "here", Workers: 1}}
		is.Peers = []across.Doing{{ID: "x", Name: "a/<1>", Site: "a", State: "here", Workers: 1, Answers: true}}
		return is, nil
	}, 0), nil, moments.Control{})
	return s, serve(t, s), mute
}

// serve has it serve until the test ends.
func serve(t *testing.T, s *Dashboard) (link string) {
	t.Helper()
	at, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	served := make(chan error)
	go func() { served <- s.Serve(ctx, at) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
	})
	return s.Link(at.Addr())
}

// get is a request, and what comes of it.
func get(t *testing.T, link string, change func(*http.Request)) *http.Response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, link, nil)
	if err != nil {
		t.Fatal(err)
	}
	if change != nil {
		change(r)
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { a.Body.Close() })
	return a
}

// TestPageShowsTheGrid, as it is now, and says so when nobody answers any more.
func TestPageShowsTheGrid(t *testing.T) {
	_, link, mute := shown(t)
	page := get(t, link, nil)
	text, err := io.ReadAll(page.Body)
	if err != nil || page.StatusCode != http.StatusOK || !strings.Contains(string(text), `new EventSource("events")`) {
		t.Fatalf("the page is %d: %s", page.StatusCode, text)
	}
	if policy := page.Header.Get("Content-Security-Policy"); !strings.HasPrefix(policy, "default-src 'none'") {
		t.Errorf("its policy is %q", policy)
	}
	events := get(t, link+"events", nil)
	lines := bufio.NewScanner(events.Body)
	until := func(what string) { t.Helper(); comes(t, lines, what) }
	until("data: <h1>grid lab: 1 peer at 1 site with 1 worker</h1>")
	until("a/&lt;1&gt;")
	mute.Store(true)
	until("nobody answers: no route to &lt;host&gt;")
	mute.Store(false)
	until("data: <h1>grid lab: 1 peer")
}

// TestWhoMayLook: whoever has the link, on this machine; no page of another origin, and nobody who
// calls this machine by a name that somebody else may have given it.
func TestWhoMayLook(t *testing.T) {
	_, link, _ := shown(t)
	base := link[:strings.Index(link, "/"+strings.Split(link, "/")[3])]
	_, port, _ := strings.Cut(strings.TrimPrefix(base, "http://"), ":")
	for what, c := range map[string]struct {
		link   string
		change func(*http.Request)
		want   int
	}{
		"by name":            {link, func(r *http.Request) { r.Host = "localhost:" + port }, 200},
		"over ssh":           {link, func(r *http.Request) { r.Host = "localhost:8080" }, 200},
		"IPv6":               {link, func(r *http.Request) { r.Host = "[::1]:" + port }, 200},
		"typed":              {link, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "none") }, 200},
		"its own page":       {link, func(r *http.Request) { r.Header.Set("Origin", base) }, 200},
		"no token":           {base + "/", nil, 404},
		"another token":      {base + "/AAAAAAAAAAAAAAAAAAAAAAAAAA/", nil, 404},
		"events, no token":   {base + "/events", nil, 404},
		"another host":       {link, func(r *http.Request) { r.Host = "evil.example:" + port }, 403},
		"an address outside": {link, func(r *http.Request) { r.Host = "10.0.0.1:" + port }, 403},
		"another origin":     {link, func(r *http.Request) { r.Header.Set("Origin", "http://evil.example") }, 403},
		"another local port": {link, func(r *http.Request) { r.Header.Set("Origin", "http://127.0.0.1:1") }, 403},
		"a link elsewhere": {link, func(r *http.Request) {
			r.Header.Set("Sec-Fetch-Site", "cross-site")
			r.Header.Set("Sec-Fetch-Mode", "navigate")
		}, 200},
		"a page elsewhere":      {link, func(r *http.Request) { r.Header.Set("Sec-Fetch-Site", "cross-site") }, 403},
		"no origin to speak of": {link, func(r *http.Request) { r.Header.Set("Origin", "null") }, 403},
		"something is sent":     {link, func(r *http.Request) { r.Method = http.MethodPost }, 405},
	} {
		if a := get(t, c.link, c.change); a.StatusCode != c.want {
			t.Errorf("%s: %d, wanted %d", what, a.StatusCode, c.want)
		}
	}
}

// TestPagesAreBounded: so many are kept up to date, and one that goes makes room.
func TestPagesAreBounded(t *testing.T) {
	s, link, _ := shown(t)
	var all []*http.Response
	for range streamsMax {
		a := get(t, link+"events", nil)
		if a.StatusCode != http.StatusOK {
			t.Fatalf("page %d: %d", len(all), a.StatusCode)
		}
		all = append(all, a)
	}
	if a := get(t, link+"events", nil); a.StatusCode != http.StatusServiceUnavailable {
		t.Errorf("one more: %d", a.StatusCode)
	}
	all[0].Body.Close()
	await.Until(t, "one to have gone", func() bool { return !s.isFull() })
	if a := get(t, link+"events", nil); a.StatusCode != http.StatusOK {
		t.Errorf("after one has gone: %d", a.StatusCode)
	}
}

// TestPageShowsFigures: those that were drawn last, each as an image with what it says and what its
// colours stand for, below a line. One that is as it was is not fetched again. What is too large,
// or one too many, is left out.
func TestPageShowsFigures(t *testing.T) {
	s, link, _ := shown(t)
	if a := get(t, link+"picture?figure=0", nil); a.StatusCode != http.StatusNotFound || s.IsWatched() {
		t.Errorf("before one is drawn: %d, watched: %v", a.StatusCode, s.IsWatched())
	}
	lines := bufio.NewScanner(get(t, link+"events", nil).Body)
	until := func(what string) { t.Helper(); comes(t, lines, what) }
	until("grid lab")
	if !s.IsWatched() {
		t.Error("nobody watches")
	}
	is := func(which int, image, kind string) {
		t.Helper()
		a := get(t, fmt.Sprintf("%spicture?figure=%d", link, which), nil)
		text, err := io.ReadAll(a.Body)
		if err != nil || string(text) != image || a.Header.Get("Content-Type") != kind || !strings.Contains(a.Header.Get("Content-Security-Policy"), "sandbox") {
			t.Errorf("%s, %v, %v", text, a.Header, err)
		}
	}
	png, svg := Exhibit{Image: []byte("\x89PNG…"), Says: "so far"}, Exhibit{Image: []byte("<svg/>"), Keys: []Legend{{"a/<1>", "#123456"}}}
	s.Draw([]Exhibit{png, svg}, "half of it")
	until(`{"says":"half of it","figures":[{"no":1,"says":"so far","keys":[]},{"no":1,"says":"","keys":[{"name":"a/\u003c1\u003e","color":"#123456"}]}]}`)
	is(0, "\x89PNG…", "image/png")
	is(1, "<svg/>", "image/svg+xml")
	svg.Image = []byte("<svg></svg>")
	s.Draw([]Exhibit{png, svg}, "best <7>")
	until(`{"says":"best \u003c7\u003e","figures":[{"no":1,"says":"so far","keys":[]},{"no":2,`)
	s.Draw([]Exhibit{{Image: make([]byte, PictureMax+1)}, {}}, "much")
	until(`{"says":"much","figures":[]}`)
	for _, which := range []string{"0", "-1", "x", ""} {
		if a := get(t, link+"picture?figure="+which, nil); a.StatusCode != http.StatusNotFound {
			t.Errorf("figure %q, of none: %d", which, a.StatusCode)
		}
	}
	s.Draw(slices.Repeat([]Exhibit{svg}, FiguresMax+1), "many")
	until("many")
	if a := get(t, fmt.Sprintf("%spicture?figure=%d", link, FiguresMax), nil); a.StatusCode != http.StatusNotFound {
		t.Errorf("one too many: %d", a.StatusCode)
	}
}

// comes reads on until a line has something.
func comes(t *testing.T, lines *bufio.Scanner, what string) {
	t.Helper()
	for lines.Scan() {
		if strings.Contains(lines.Text(), what) {
			return
		}
	}
	t.Fatalf("%q never comes: %v", what, lines.Err())
}

func (s *Dashboard) isFull() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.streams == streamsMax
}

// TestPagePlays: of a recording a page has its buttons, and is told where that stands. Of a grid
// that is there it has none, and presses nothing.
func TestPagePlays(t *testing.T) {
	pressed := make(chan moments.Press, 1)
	var b bytes.Buffer
	r := recording.NewRecorder(&b, time.Now(), time.Second)
	for second := range 3 {
		if err := r.Add(recording.Look{At: time.Duration(second) * time.Second, Sample: observe.Sample{Grid: "lab"}}); err != nil {
			t.Fatal(err)
		}
	}
	tape, err := moments.NewTape(t.Context(), bytes.NewReader(b.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	d, err := moments.NewDeck(t.Context(), tape, time.Hour)
	if err != nil {
		t.Fatal(err)
	}
	link := serve(t, New(d, func(p moments.Press) { pressed <- p; d.Press(p) }, moments.Control{}))
	text, err := io.ReadAll(get(t, link, nil).Body)
	if err != nil || !strings.Contains(string(text), `data-press="play"`) {
		t.Fatalf("the page is %s, %v", text, err)
	}
	lines := bufio.NewScanner(get(t, link+"events", nil).Body)
	until := func(what string) { t.Helper(); comes(t, lines, what) }
	until("event: tape")
	until(`0:02 of 0:02, look 3 of 3, ends here`)
	post := func(r *http.Request) { r.Method = http.MethodPost }
	for query, want := range map[string]int{"press?button=seek&at=1": 204, "press?button=seek&at=x": 400, "press?button=seek&at=NaN": 400, "events": 405} {
		if a := get(t, link+query, post); a.StatusCode != want {
			t.Errorf("%s: %d, wanted %d", query, a.StatusCode, want)
		}
	}
	if p := <-pressed; p != (moments.Press{Button: moments.Seek, At: time.Second}) {
		t.Errorf("it presses %+v", p)
	}
	until(`0:01 of 0:02, look 2 of 3`)
	elsewhere := func(r *http.Request) { post(r); r.Header.Set("Origin", "http://evil.example") }
	if a := get(t, link+"press?button=play", elsewhere); a.StatusCode != http.StatusForbidden {
		t.Errorf("a page elsewhere: %d", a.StatusCode)
	}
	_, live, _ := shown(t)
	text, err = io.ReadAll(get(t, live, nil).Body)
	if err != nil || strings.Contains(string(text), "data-press") {
		t.Errorf("of a grid that is there the page is %s, %v", text, err)
	}
	if a := get(t, live+"press?button=play", post); a.StatusCode != http.StatusMethodNotAllowed {
		t.Errorf("of a grid that is there: %d", a.StatusCode)
	}
}
