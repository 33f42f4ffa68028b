//go:build unix && browser

package dash

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"satingrid/satin/await"
)

// shifted is what has moved by itself on a page, and what is on it.
type shifted struct {
	Moved float64 // the sum of layout shifts
	What  []string
	Seen  int     // pictures that are there
	Top   float64 // of the section of pictures, below that of what is told; 0: it is not shown
}

const look = `new Promise(laid => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(laid, 100)))).then(() => ({
	moved: window.shifts.reduce((sum, e) => sum + e.value, 0),
	what: window.shifts.flatMap(e => e.sources.map(s => s.node?.outerHTML?.slice(0, 80) ?? "")),
	seen: [...document.querySelectorAll("#picture img")].filter(i => i.naturalWidth > 0).length,
	top: picture.hidden ? 0 : picture.getBoundingClientRect().top - main.getBoundingClientRect().top,
}))`

func awaits(p *runtime.EvaluateParams) *runtime.EvaluateParams { return p.WithAwaitPromise(true) }

// TestPicturesMoveNothing: neither the first picture that comes to a page, nor one more, nor what
// they say, moves anything by itself, in Chromium, in two sizes. The first stands where its place
// was reserved, above all else; where none was, below what there is already, and above that once
// the page is loaded again.
func TestPicturesMoveNothing(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.NoSandbox, chromedp.DisableGPU, chromedp.Flag("disable-component-update", true))
	ctx, cancel = chromedp.NewExecAllocator(ctx, options...)
	defer cancel()
	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()
	do := func(actions ...chromedp.Action) {
		t.Helper()
		if err := chromedp.Run(ctx, actions...); err != nil {
			t.Fatal(err)
		}
	}
	// what moves is counted from the start
	const counts = `window.shifts = []; new PerformanceObserver(all => window.shifts.push(...all.getEntries())).observe({type: "layout-shift", buffered: true}); 0`
	for n := range 4 {
		width, reserved := []int64{1440, 390}[n%2], n/2 == 1
		s, link, _ := shown(t)
		if reserved {
			s.Reserve()
		}
		svg := Exhibit{Image: []byte(`<svg xmlns="http://www.w3.org/2000/svg" width="640" height="360"><rect width="640" height="360" fill="#2368b5"/></svg>`), Says: "what there is so far"}
		until := func(pictures int, above bool) {
			t.Helper()
			var is shifted
			await.UntilOr(t, func() bool {
				do(chromedp.Evaluate(look, &is, awaits))
				return is.Seen == pictures && (pictures == 0 || is.Top != 0)
			}, func() string { return fmt.Sprintf("at %d: %+v", width, is) })
			if text, _ := json.Marshal(is); is.Moved > 0 || pictures > 0 && (is.Top < 0) != above {
				t.Errorf("at %d, with %d pictures: %s", width, pictures, text)
			}
		}
		do(emulation.SetDeviceMetricsOverride(width, 900, 1, width < 1000), chromedp.Navigate(link), chromedp.Evaluate(counts, nil))
		until(0, false)
		s.Draw([]Exhibit{svg}, "half of it")
		until(1, reserved)
		do(chromedp.Navigate(link), chromedp.Evaluate(counts, nil))
		until(1, true)
		svg.Keys = []Legend{{"a/1", "#123456"}, {"a/2", "#654321"}}
		s.Draw([]Exhibit{svg, svg, svg}, "a line that is too long for a window as narrow as this one is, or as wide as that one, and for most others that somebody may open here")
		until(3, true)
		var picture []byte
		if do(chromedp.CaptureScreenshot(&picture)); os.Getenv("SATIN_SCREENS") != "" {
			if err := os.WriteFile(filepath.Join(os.Getenv("SATIN_SCREENS"), fmt.Sprintf("%s-%d.png", t.Name(), width)), picture, 0o644); err != nil {
				t.Error(err)
			}
		}
	}
}
