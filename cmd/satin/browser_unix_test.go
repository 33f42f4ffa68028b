//go:build unix && browser

package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"satingrid/satin/await"
)

// browser is a page in Chromium, and what went wrong in it.
type browser struct {
	ctx context.Context

	mu     sync.Mutex // protects what follows
	wrongs []string
}

// openBrowser opens a page, or skips the test where there is no Chromium.
func openBrowser(t *testing.T, link string) *browser {
	t.Helper()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-component-update", true))
	ctx, cancel := chromedp.NewExecAllocator(t.Context(), options...)
	t.Cleanup(cancel)
	ctx, cancel = chromedp.NewContext(ctx)
	t.Cleanup(cancel)
	b := &browser{ctx: ctx}
	chromedp.ListenTarget(ctx, func(event any) {
		switch e := event.(type) {
		case *runtime.EventExceptionThrown:
			b.wrong(e.ExceptionDetails.Error())
		case *runtime.EventConsoleAPICalled:
			b.wrong(fmt.Sprintf("the console says %s", e.Type))
		}
	})
	// layout shifts are counted from the start
	const counts = `window.shifts = []; new PerformanceObserver(all => all.getEntries().forEach(e => {
		window.shifts.push({moved: e.value, at: e.startTime, what: e.sources.map(s => s.node?.outerHTML?.slice(0, 60) ?? "")});
	})).observe({type: "layout-shift", buffered: true}); 0`
	// the browser lives as long as the context of this call
	if err := chromedp.Run(ctx); err != nil {
		t.Fatal(err)
	}
	b.do(t, chromedp.Navigate(link), chromedp.Evaluate(counts, nil))
	return b
}

func (b *browser) wrong(what string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.wrongs = append(b.wrongs, what)
}

func (b *browser) do(t *testing.T, actions ...chromedp.Action) {
	t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Run(ctx, actions...); err != nil {
		t.Fatal(err)
	}
}

// seen is what somebody sees on the page, as far as the test looks at it.
type seen struct {
	Title    string
	Peers    []string       // names in the table of peers
	Lost     map[string]int // red lines, by the site of their strip
	Drawn    map[string]int // strips whose curve takes room on the screen, likewise
	Happened []string       // that is marked as bad
	Pictures int            // the application's own that are there
	Keys     []string       // of them
	Wide     bool           // it does not fit the window
	Ink      string
	Paper    string
	Shifts   []shift // what has moved by itself
	Tape     string  // where in a recording
}

// shift is something on the page that moved by itself.
type shift struct {
	Moved float64 // share of the window, times the distance as a share of it
	At    float64 // in milliseconds
	What  []string
}

const look = `(() => {
	const all = (what, of = document) => [...of.querySelectorAll(what)];
	const table = all("h2").find(h => h.textContent === "Peers");
	const is = {
		title: document.querySelector("h1")?.textContent ?? "",
		peers: table ? all("tr td:first-child", table.nextElementSibling).map(d => d.textContent) : [],
		lost: {}, drawn: {},
		happened: all("tr.bad td:last-child").map(d => d.textContent),
		pictures: all("#picture img").filter(i => i.naturalWidth > 0).length,
		keys: all("#picture .keys li").map(k => k.textContent),
		wide: document.documentElement.scrollWidth > document.documentElement.clientWidth,
		ink: getComputedStyle(document.body).color, paper: getComputedStyle(document.body).backgroundColor,
		shifts: window.shifts, tape: document.querySelector("#tape output")?.textContent ?? "",
	};
	all("main figure").forEach(f => {
		const site = f.querySelector("b").textContent, room = f.querySelector("path.does").getBoundingClientRect();
		is.lost[site] = all("line.loss", f).filter(l => l.getBoundingClientRect().height > 10).length;
		is.drawn[site] = room.width > 10 ? 1 : 0;
	});
	return is;
})()`

// sees is what is on the page now.
func (b *browser) sees(t *testing.T) (is seen) {
	t.Helper()
	b.do(t, chromedp.Evaluate(look, &is))
	return is
}

// until waits until the page is so.
func (b *browser) until(t *testing.T, what string, so func(seen) bool) (is seen) {
	t.Helper()
	await.UntilOr(t, func() bool { is = b.sees(t); return so(is) }, func() string { return fmt.Sprintf("%s: the page shows %+v", what, is) })
	return is
}

// fits looks at the page in several sizes, in light and in dark.
func (b *browser) fits(t *testing.T) {
	t.Helper()
	papers := map[string]bool{}
	for _, width := range []int64{1440, 390} {
		for _, scheme := range []string{"light", "dark"} {
			media := emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}})
			b.do(t, emulation.SetDeviceMetricsOverride(width, 900, 1, width < 1000), media)
			is := b.sees(t)
			papers[is.Paper] = true
			if is.Wide {
				t.Errorf("at %d the page is wider than the window", width)
			}
			if c := contrast(t, is.Ink, is.Paper); c < 7 {
				t.Errorf("%s: the contrast of %s on %s is %.1f, 7 is expected", scheme, is.Ink, is.Paper, c)
			}
			var picture []byte
			if b.do(t, chromedp.CaptureScreenshot(&picture)); os.Getenv("SATIN_SCREENS") != "" {
				name := fmt.Sprintf("%s-%d-%s.png", t.Name(), width, scheme)
				if err := os.WriteFile(filepath.Join(os.Getenv("SATIN_SCREENS"), name), picture, 0o644); err != nil {
					t.Error(err)
				}
			}
		}
	}
	if len(papers) != 2 {
		t.Errorf("light and dark have the paper %v", papers)
	}
}

// dashed is a command that shows its page.
type dashed struct {
	*exec.Cmd
	link string
}

// startDash starts it, and reads its link.
func startDash(t *testing.T, args ...string) dashed {
	t.Helper()
	c := exec.CommandContext(t.Context(), binary, args...)
	c.Env = append(os.Environ(), named(t))
	says, w := io.Pipe()
	c.Stdout, c.Stderr = w, w
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	text, link := bufio.NewScanner(says), ""
	for link == "" && text.Scan() {
		if _, rest, ok := strings.Cut(text.Text(), "http://"); ok {
			link = "http://" + strings.TrimSpace(rest)
		}
	}
	go io.Copy(io.Discard, says)
	return dashed{c, link}
}

// stop interrupts it.
func (d dashed) stop() {
	d.Process.Signal(syscall.SIGINT)
	d.Wait() // it has an exit code of its own then
}

// eventsIn are those of a kind in a file of events.
func eventsIn(t *testing.T, file, kind string) (all []happened) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		var e happened
		if json.Unmarshal([]byte(line), &e) == nil && e.Event == kind {
			all = append(all, e)
		}
	}
	return all
}

// happened is an event, as far as the test reads it.
type happened struct {
	Event, Peer, Site string
	Pid               int
}

// TestPageDuringAKill looks at the page of a run through Chromium, while one of its two sites is
// killed: it shows what events and stream say, and a recording of it shows the same.
func TestPageDuringAKill(t *testing.T) {
	folder := t.TempDir()
	events, tape := filepath.Join(folder, "events"), filepath.Join(folder, "tape")
	run := startDash(t, "run", "raytracer", "--samples", "20000", "-o", filepath.Join(folder, "p.png"),
		"--sites", "a:2,b:2", "--dash", "--record", tape, "--events", events)
	defer run.stop()
	page := openBrowser(t, run.link)
	before := page.until(t, "all are there", func(is seen) bool {
		return len(is.Peers) == 4 && len(is.Drawn) == 2 && is.Pictures == 2 && len(is.Keys) == 4
	})
	if !strings.Contains(before.Title, "4 peers at 2 sites") || before.Lost["a"]+before.Lost["b"]+len(before.Happened) > 0 {
		t.Errorf("before the kill it shows %+v", before)
	}
	for _, e := range eventsIn(t, events, "started") {
		if e.Site == "b" {
			syscall.Kill(e.Pid, syscall.SIGKILL)
		}
	}
	after := page.until(t, "a site is lost", func(is seen) bool {
		told := strings.Join(is.Happened, "; ")
		return strings.Contains(told, "b/1") && strings.Contains(told, "b/2") && is.Lost["b"] > 0 && len(is.Peers) == 2
	})
	if !slices.Equal(after.Peers, []string{"a/1", "a/2"}) || after.Lost["a"] > 0 || after.Drawn["a"] == 0 {
		t.Errorf("after the kill it shows %+v", after)
	}
	lost, told := eventsIn(t, events, "lost"), strings.Join(after.Happened, "; ")
	for _, e := range lost {
		if !strings.Contains(told, e.Peer) {
			t.Errorf("that %s was killed is told as %q", e.Peer, told)
		}
	}
	if len(lost) != 2 {
		t.Errorf("lost are %v", lost)
	}
	for _, s := range after.Shifts {
		if s.Moved > shiftMost {
			t.Errorf("the page moves by itself, %.2f of the window: %q", s.Moved, s.What)
		}
	}
	page.fits(t)
	page.isTheStream(t, run.link)
	run.stop()
	if len(page.wrongs) > 0 {
		t.Errorf("in the browser: %q", page.wrongs)
	}
	recordedIs(t, tape, after)
	fmt.Printf("page: 4 peers, then %d, in 2 sizes, light and dark, live and recorded\n", len(after.Peers))
}

// shiftMost is how much of a page may move by itself, as a layout shift is measured: below it a
// page counts as still.
const shiftMost = 0.1

// isTheStream compares the page with what the stream says, piece by piece.
func (b *browser) isTheStream(t *testing.T, link string) {
	t.Helper()
	stream, err := http.Get(link + "events")
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Body.Close()
	lines, is, said := bufio.NewScanner(stream.Body), "", 0
	lines.Buffer(nil, 1<<20)
	same := false
	for kind := ""; !same && said < 20 && lines.Scan(); {
		switch field, value, _ := strings.Cut(lines.Text(), ": "); {
		case field == "event":
			kind = value
		case field == "data" && kind == "":
			is += value + "\n"
		case field == "":
			if kind == "" {
				said++
				text, _ := json.Marshal(is)
				// the page has it at the same time
				b.do(t, chromedp.Sleep(100*time.Millisecond),
					chromedp.Evaluate(fmt.Sprintf(`(() => { const is = document.createElement("main"); is.innerHTML = %s; return is.innerText.trim() === main.textContent.trim() || is.textContent.trim() === main.textContent.trim(); })()`, text), &same))
			}
			kind, is = "", ""
		}
	}
	if !same {
		t.Errorf("of %d moments of the stream none is on the page", said)
	}
}

// recordedIs looks at the end of a recording, and goes to its start and back with keys.
func recordedIs(t *testing.T, tape string, live seen) {
	t.Helper()
	played := startDash(t, "dash", tape, "--at", "1h")
	defer played.stop()
	page := openBrowser(t, played.link)
	has := func(is seen) bool { return slices.Equal(is.Happened, live.Happened) && is.Lost["b"] == live.Lost["b"] }
	end := page.until(t, "the recording ends as the run did", has)
	page.do(t, chromedp.KeyEvent(kb.Home))
	page.until(t, "Home leads to the start", func(is seen) bool { return is.Tape != end.Tape && len(is.Happened) == 0 })
	page.do(t, chromedp.KeyEvent(kb.End))
	page.until(t, "End leads to the end", has)
	if len(page.wrongs) > 0 {
		t.Errorf("in the browser: %q", page.wrongs)
	}
}

// TestPageKicks lets a person at the page of dash --control kick a peer, who is asked about it.
func TestPageKicks(t *testing.T) {
	n := startNode(t, "--site", "a")
	m := startNode(t, "--site", "b", "--join", n.ticket)
	awaitAll(t, []*node{n, m})
	shows := startDash(t, "dash", "--state", n.folder, "--control")
	defer shows.stop()
	page := openBrowser(t, shows.link)
	page.until(t, "both are there", func(is seen) bool { return len(is.Peers) == 2 })
	choose := fmt.Sprintf(`(() => {
		const c = document.querySelector("#control select");
		c.value = [...c.options].find(o => o.textContent === %q).value;
		c.dispatchEvent(new Event("change"));
	})()`, m.name)
	var question string
	page.do(t, chromedp.Evaluate(choose, nil), chromedp.Click(`#control [data-do="kick"]`, chromedp.ByQuery),
		chromedp.Text("#question p", &question, chromedp.ByQuery), chromedp.Click(`#question [value="yes"]`, chromedp.ByQuery))
	if !strings.Contains(question, m.name) {
		t.Errorf("it is asked %q", question)
	}
	page.until(t, m.name+" is kicked", func(is seen) bool { return slices.Equal(is.Peers, []string{n.name}) })
	page.fits(t)
	if len(page.wrongs) > 0 {
		t.Errorf("in the browser: %q", page.wrongs)
	}
}

// contrast is that of WCAG 2.1 between two colours as a browser tells them.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	light := func(color string) float64 {
		var rgb [3]float64
		if _, err := fmt.Sscanf(color, "rgb(%g, %g, %g)", &rgb[0], &rgb[1], &rgb[2]); err != nil {
			t.Fatalf("the colour %q: %v", color, err)
		}
		for i, v := range rgb {
			if v /= 255; v <= 0.04045 {
				rgb[i] = v / 12.92
			} else {
				rgb[i] = math.Pow((v+0.055)/1.055, 2.4)
			}
		}
		return 0.2126*rgb[0] + 0.7152*rgb[1] + 0.0722*rgb[2]
	}
	x, y := light(a), light(b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}
