package dash

import (
	"bytes"
	"context"
	"crypto/rand"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"satingrid/satin/program/moments"
	"satingrid/satin/program/recording"
)

//go:embed shell.html
var files embed.FS

var shell = template.Must(template.ParseFS(files, "shell.html"))

const (
	// streamsMax is how many pages are kept up to date at once: each is sent all of it every
	// time.
	streamsMax = 16
	headMax    = 5 * time.Second  // for a request's head
	sendMax    = 10 * time.Second // for what is sent to one page: it may be suspended
)

// Dashboard shows a grid to browsers. The zero value is not for use: see [New].
type Dashboard struct {
	path    string // "/" and what nobody can guess and "/"
	moments moments.Stream
	press   func(moments.Press)
	control moments.Control
	acting  sync.Mutex // held while something is done: one thing at a time

	mu        sync.Mutex // protects what follows
	choosable []choosable
	now       []byte        // the events that make a page what it is to be
	main      template.HTML // the page's content
	drawn     drawing
	news      chan struct{} // closed when there is another
	streams   int
}

// New is one that shows these moments. Where they are of a recording, press presses a button there;
// nil: they are not. Whoever has the link may do what control can.
func New(of moments.Stream, press func(moments.Press), control moments.Control) *Dashboard {
	return &Dashboard{path: "/" + rand.Text() + "/", moments: of, press: press, control: control, news: make(chan struct{})}
}

// Link is where its page is, at an address that it listens on.
func (s *Dashboard) Link(at net.Addr) string { return "http://" + at.String() + s.path }

// Serve looks, and shows what it sees, until the context ends, and closes the listener.
func (s *Dashboard) Serve(ctx context.Context, at net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var looking sync.WaitGroup
	defer looking.Wait()
	defer cancel()
	looking.Go(func() { s.watch(ctx) })
	server := &http.Server{
		Handler: s, ReadHeaderTimeout: headMax, MaxHeaderBytes: 16 << 10,
		BaseContext: func(net.Listener) context.Context { return ctx },
	}
	stopped := context.AfterFunc(ctx, func() { server.Close() })
	defer stopped()
	if err := server.Serve(at); ctx.Err() == nil {
		return err
	}
	return nil
}

// watch shows each moment.
func (s *Dashboard) watch(ctx context.Context) {
	for {
		m, err := s.moments.Next(ctx)
		if err != nil {
			return
		}
		s.show(m)
	}
}

// show has all pages show that.
func (s *Dashboard) show(m moments.Moment) {
	if m.Trouble != "" {
		m.View.Warnings = []string{m.Trouble}
		if m.Tape == nil {
			m.View.Warnings[0] = "nobody answers: " + m.Trouble
		}
	}
	var main, all bytes.Buffer
	if err := m.Report().Live(&main, m.View); err != nil {
		panic("dash: BUG: " + err.Error())
	}
	event(&all, "", main.Bytes())
	if m.Tape != nil {
		is, err := json.Marshal(toldOf(*m.Tape))
		if err != nil {
			panic("dash: BUG: " + err.Error())
		}
		event(&all, "tape", is)
	}
	var listed []choosable
	if len(s.control.Can) > 0 {
		listed = choosables(m.View)
		is, err := json.Marshal(listed)
		if err != nil {
			panic("dash: BUG: " + err.Error())
		}
		event(&all, "choosable", is)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.choosable = listed
	s.now, s.main = all.Bytes(), template.HTML(main.String()) // what Live wrote, as it stands
	s.tell()
}

// tell tells all pages that there is something else. The mutex is held.
func (s *Dashboard) tell() {
	close(s.news)
	s.news = make(chan struct{})
}

// event adds an event to some.
func event(to *bytes.Buffer, kind string, content []byte) {
	if kind != "" {
		fmt.Fprintf(to, "event: %s\n", kind)
	}
	for line := range bytes.Lines(bytes.TrimSpace(content)) {
		fmt.Fprintf(to, "data: %s\n", bytes.TrimRight(line, "\r\n"))
	}
	to.WriteByte('\n')
}

// latest is what is to be shown, and what is closed when that is old.
func (s *Dashboard) latest() ([]byte, <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Concat(s.drawn.event, s.now), s.news
}

// ServeHTTP answers who may look.
func (s *Dashboard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	head := w.Header()
	head.Set("Cache-Control", "no-store")
	head.Set("Referrer-Policy", "no-referrer")
	head.Set("X-Content-Type-Options", "nosniff")
	head.Set("Cross-Origin-Resource-Policy", "same-origin")
	switch {
	case !isHere(r):
		http.Error(w, "this page is for this machine alone", http.StatusForbidden)
	case s.press != nil && r.Method == http.MethodPost && r.URL.Path == s.path+"press":
		s.pressed(w, r)
	case len(s.control.Can) > 0 && r.Method == http.MethodPost && r.URL.Path == s.path+"do":
		s.does(w, r)
	case r.Method != http.MethodGet:
		http.Error(w, "this page only shows", http.StatusMethodNotAllowed)
	case r.URL.Path == s.path:
		s.page(w)
	case r.URL.Path == s.path+"picture":
		s.picture(w, r)
	case r.URL.Path == s.path+"events":
		s.events(w, r)
	default:
		http.Error(w, "the link that was printed leads to the page", http.StatusNotFound)
	}
}

// isHere tells whether a request is meant for this machine by its name, and comes from no page of
// another origin.
func isHere(r *http.Request) bool {
	name := r.Host
	if host, _, err := net.SplitHostPort(r.Host); err == nil {
		name = host
	}
	if ip := net.ParseIP(strings.Trim(name, "[]")); name != "localhost" && (ip == nil || !ip.IsLoopback()) {
		return false
	}
	// a link may be clicked anywhere: what it opens no page elsewhere can read
	site, opens := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Mode") == "navigate"
	if site != "" && site != "same-origin" && site != "none" && !opens {
		return false
	}
	origin := r.Header.Get("Origin")
	from, err := url.Parse(origin)
	return origin == "" || err == nil && from.Host == r.Host
}

// page is the page, with what is to be seen now.
func (s *Dashboard) page(w http.ResponseWriter) {
	nonce := rand.Text()
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Security-Policy", "default-src 'none'; connect-src 'self'; img-src 'self'; style-src 'unsafe-inline'; script-src 'nonce-"+
		nonce+"'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	s.mu.Lock()
	main, drawn := s.main, s.drawn.reserved || s.drawn.event != nil
	s.mu.Unlock()
	// where it fails nobody is there
	shell.Execute(w, struct {
		Style template.CSS
		Nonce string
		Main  template.HTML
		Drawn bool
		Tape  bool
		Can   []moments.Ability
	}{recording.Style(), nonce, main, drawn, s.press != nil, s.control.Can})
}

// events sends what is on the page, and again whenever that has changed.
func (s *Dashboard) events(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		http.Error(w, fmt.Sprintf("%d pages show this already", streamsMax), http.StatusServiceUnavailable)
		return
	}
	defer s.leave()
	w.Header().Set("Content-Type", "text/event-stream")
	control := http.NewResponseController(w)
	for {
		now, old := s.latest()
		if len(now) > 0 {
			if send(w, control, now) != nil {
				return
			}
		}
		select {
		case <-old:
		case <-r.Context().Done():
			return
		}
	}
}

// send sends events.
func send(w http.ResponseWriter, control *http.ResponseController, content []byte) error {
	if err := control.SetWriteDeadline(time.Now().Add(sendMax)); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	if _, err := w.Write(content); err != nil {
		return err
	}
	return control.Flush()
}

func (s *Dashboard) enter() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.streams == streamsMax {
		return false
	}
	s.streams++
	return true
}

func (s *Dashboard) leave() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.streams--
}
