package cli

import (
	"context"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"satingrid/apps/raytracer"
	"satingrid/apps/raytracer/scene"
	"satingrid/satin"
	"satingrid/satin/program"
	"satingrid/satin/program/wording"
)

// A film is a run for each frame, framesAhead of them at a time, so that nobody waits while the
// last tiles of one are computed. A frame's answer reaches this process once, as every run's does,
// and is written when it comes, in order: one run for all of them would keep what is finished from
// whoever waits, and its answer would be larger than an answer may be. A file for all of them, an
// animated PNG, is written again and again, each time whole, unless it replaces one.
const (
	framesAhead = 2
	framesMax   = 100_000
	frameRate   = 24 // a second, where nobody says otherwise
)

// reel is which frames a film has, and where they go.
type reel struct {
	first, last int
	fps         float64
	pattern     string          // of the files' names; "": there are none
	file        *program.Output // for all frames; nil: each has its own, or none
	input       string
	light       *lighting    // with the first frame's task
	begins      *scene.Scene // the scene at its beginning
}

var framePattern = regexp.MustCompile(`^[^%]*%(0[1-9])?d[^%]*$`)

// reelWanted reads --frames, which is "A-B".
func reelWanted(frames string, fps float64) (*reel, error) {
	a, b, ok := strings.Cut(frames, "-")
	first, err1 := strconv.Atoi(a)
	last, err2 := strconv.Atoi(b)
	if !ok || err1 != nil || err2 != nil || first < 1 || last < first || last-first >= framesMax {
		return nil, fmt.Errorf("--frames is %q: two numbers from 1 are expected, such as 1-240, at most %d frames", frames, framesMax)
	}
	if !(fps > 0 && fps <= 1e6) {
		return nil, fmt.Errorf("--fps is %g: frames a second are expected, such as %d", fps, frameRate)
	}
	return &reel{first: first, last: last, fps: fps}, nil
}

// goesTo says where the frames go, and whether they have linear colours; "" is nowhere.
func (r *reel) goesTo(name string) (linear bool, err error) {
	switch {
	case name == "":
		return false, nil
	case endsIn(name, ".apng"):
		r.file, err = program.OpenOutput("-o", name)
		return false, err
	case !framePattern.MatchString(name):
		return false, fmt.Errorf("-o %s: with --frames a name is expected that has the place of the frame's number, such as %s, or that ends in .apng", name, otherFrames)
	}
	r.pattern = name
	name = fmt.Sprintf(name, r.first)
	if linear, err = isLinear(name); err == nil {
		_, err = program.OpenOutput("-o", name)
	}
	return linear, err
}

// at is the time of frame n. The first one is at the beginning.
func (r *reel) at(n int) float64 { return float64(n-1) / r.fps }

// task renders frame n.
func (r *reel) task(n int) (raytracer.Render, error) {
	if n == r.first {
		return r.light.task, nil
	}
	s, _, err := raytracer.ReadScene(r.input, r.at(n))
	if err != nil {
		return raytracer.Render{}, err
	}
	light := *r.light
	light.on(s, r.begins)
	return light.task, light.task.Check()
}

// Start begins the film.
func (r *reel) Start(ctx context.Context, p *satin.Peer, as ...satin.Option) (program.Running, error) {
	f := &film{reel: r, began: time.Now(), done: make(chan struct{}), frames: []still{}, written: time.Now(), pause: watchEvery}
	if r.file != nil {
		f.strip = raytracer.NewStrip(r.fps)
	}
	go f.make(ctx, p, as)
	return f, nil
}

// film is one being made.
type film struct {
	*reel
	began time.Time
	done  chan struct{} // make has ended

	mu     sync.Mutex // protects what follows
	ahead  []*satin.Submission[raytracer.Image]
	frames []still          // finished, in order
	strip  *raytracer.Strip // of the same, where one file has all
	spent  satin.Stats
	err    error

	writing sync.Mutex // is held while the strip is written
	written time.Time
	pause   time.Duration // until it is written again
}

// still is a finished picture of the film.
type still struct {
	Frame  int    `json:"frame"`
	SHA256 string `json:"sha256"`
	Rays   int    `json:"rays"`
	name   string
}

// make renders one frame after the other.
func (f *film) make(ctx context.Context, p *satin.Peer, as []satin.Option) {
	defer close(f.done)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel() // of what is ahead when a frame fails
	for next := f.first; next <= f.last || len(f.ahead) > 0; {
		var err error
		if next <= f.last && len(f.ahead) < framesAhead {
			err = f.submit(ctx, p, next, as)
			next++
		} else {
			err = f.finish()
		}
		if err != nil {
			f.mu.Lock()
			f.err = err
			f.mu.Unlock()
			return
		}
	}
}

func (f *film) submit(ctx context.Context, p *satin.Peer, n int, as []satin.Option) error {
	task, err := f.task(n)
	if err != nil {
		return fmt.Errorf("frame %d: %w", n, err)
	}
	s, err := satin.Submit(ctx, p, task, as...)
	if err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ahead = append(f.ahead, s)
	return nil
}

// finish waits for the oldest frame and writes it.
func (f *film) finish() error {
	m, err := f.ahead[0].Wait()
	if err != nil {
		return err
	}
	done := still{Frame: f.first + len(f.frames), SHA256: m.SHA256(), Rays: m.Rays}
	if f.pattern != "" {
		done.name = fmt.Sprintf(f.pattern, done.Frame)
		file, err := program.OpenOutput("-o", done.name)
		if err == nil {
			err = answer{image: m, file: file}.Keep()
		}
		if err != nil {
			return fmt.Errorf("frame %d: %w", done.Frame, err)
		}
	}
	if err := f.add(m, done); err != nil {
		return fmt.Errorf("frame %d: %w", done.Frame, err)
	}
	if f.file == nil || !f.file.IsNew() || time.Since(f.written) < f.pause {
		return nil
	}
	began := time.Now()
	a, _ := f.Partial()
	err = a.(footage).Keep()
	f.written = time.Now()
	f.pause = max(watchEvery, watchPart*f.written.Sub(began))
	return err
}

// add takes in a finished frame, the oldest that was ahead.
func (f *film) add(m raytracer.Image, done still) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.strip != nil {
		if err := f.strip.Add(m); err != nil {
			return err
		}
	}
	f.spent = sum(f.spent, f.ahead[0].Stats())
	f.ahead[0] = nil // its answer is large
	f.ahead, f.frames = f.ahead[1:], append(f.frames, done)
	return nil
}

func (f *film) Done() <-chan struct{} { return f.done }

func (f *film) Progress() float64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.share()
}

// share is how much of the film is done; f.mu is held.
func (f *film) share() float64 {
	done := float64(len(f.frames))
	for _, s := range f.ahead {
		done += s.Progress()
	}
	return done / float64(f.last-f.first+1)
}

func (f *film) Stats() satin.Stats {
	f.mu.Lock()
	defer f.mu.Unlock()
	out := f.spent
	for _, s := range f.ahead {
		out = sum(out, s.Stats())
	}
	out.Done = f.share()
	return out
}

func (f *film) Answer() (program.Answer, error) {
	a, _ := f.Partial()
	f.mu.Lock()
	defer f.mu.Unlock()
	return a, f.err
}

func (f *film) Partial() (program.Answer, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	a := footage{reel: f.reel, frames: f.frames[:len(f.frames):len(f.frames)], took: time.Since(f.began), writing: &f.writing}
	if f.strip != nil {
		a.strip = *f.strip
	}
	return a, len(f.frames) > 0
}

// footage is what there is of a film.
type footage struct {
	*reel
	frames  []still
	took    time.Duration
	strip   raytracer.Strip
	writing *sync.Mutex
}

// Keep writes the file that has all frames, where one has.
func (a footage) Keep() error {
	if a.file == nil {
		return nil
	}
	a.writing.Lock()
	defer a.writing.Unlock()
	return a.file.Write(a.strip.Write)
}

// Extent says how much of the film there is.
func (a footage) Extent() string {
	return fmt.Sprintf("%d of %s", len(a.frames), wording.Count(a.last-a.first+1, "frame"))
}

func (a footage) Brief() string { return a.Extent() }

func (a footage) JSON() any {
	rays := 0
	for _, f := range a.frames {
		rays += f.Rays
	}
	return struct {
		Width  int     `json:"width"`
		Height int     `json:"height"`
		Frames []still `json:"frames"`
		Rays   int     `json:"rays"`
		Rate   int     `json:"rays_per_second"`
	}{a.light.task.Width, a.light.task.Height, a.frames, rays, int(float64(rays) / max(a.took.Seconds(), 1e-9))}
}

// Text names the files.
func (a footage) Text(w io.Writer) error {
	if a.file != nil {
		_, err := fmt.Fprintln(w, a.file.Name)
		return err
	}
	for _, f := range a.frames {
		if _, err := fmt.Fprintln(w, f.name); err != nil {
			return err
		}
	}
	return nil
}
