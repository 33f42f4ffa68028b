package p2p

import "sync"

// crew are the goroutines of a host, which Close waits for.
type crew struct {
	mu   sync.Mutex // protects full, and the order of Add and Wait
	full bool
	work sync.WaitGroup
}

// run runs f on a goroutine, or says that the host is closed.
func (c *crew) run(f func()) bool {
	if !c.enter() {
		return false
	}
	go func() {
		defer c.leave()
		f()
	}()
	return true
}

// enter makes the calling goroutine, which libp2p started, one of the crew.
func (c *crew) enter() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full {
		return false
	}
	c.work.Add(1)
	return true
}

func (c *crew) leave() { c.work.Done() }

// dismiss lets nobody in any more.
func (c *crew) dismiss() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.full = true
}
