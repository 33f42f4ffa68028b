package p2p

import "sync"

// goroutines are those of a host, which Close waits for.
type goroutines struct {
	mu   sync.Mutex // protects over, and the order of Add and Wait
	over bool
	work sync.WaitGroup
}

// run runs f on a goroutine, or says that the host is closed.
func (g *goroutines) run(f func()) bool {
	if !g.enter() {
		return false
	}
	go func() {
		defer g.leave()
		f()
	}()
	return true
}

// enter makes the calling goroutine, which libp2p started, one of them.
func (g *goroutines) enter() bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.over {
		return false
	}
	g.work.Add(1)
	return true
}

func (g *goroutines) leave() { g.work.Done() }

// end lets none begin any more.
func (g *goroutines) end() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.over = true
}
