package control

import "sync"

// posted is what others have for the loop to do. Any goroutine may post, and never waits: what is
// queued is bounded by the workers, the loans and the application's calls that are under way.
type posted struct {
	wake chan struct{} // there is something

	mu    sync.Mutex // protects queue
	queue []func()   // in order
}

func newPosted() posted { return posted{wake: make(chan struct{}, 1)} }

// post queues something to be done.
func (p *posted) post(do func()) {
	p.mu.Lock()
	p.queue = append(p.queue, do)
	p.mu.Unlock()
	p.look()
}

// look has the loop look for what there is to do.
func (p *posted) look() {
	select {
	case p.wake <- struct{}{}:
	default:
	}
}

// doAll does all that was queued, in order. It may be called by what it does: then the inner call
// goes on where the outer one was.
func (p *posted) doAll() {
	for {
		p.mu.Lock()
		if len(p.queue) == 0 {
			p.mu.Unlock()
			return
		}
		do := p.queue[0]
		p.queue[0] = nil
		p.queue = p.queue[1:]
		p.mu.Unlock()
		do()
	}
}
