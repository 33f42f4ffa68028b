package local

import (
	"fmt"
	"slices"
	"sync"
	"time"
)

// Peer is one process of the grid that has not ended.
type Peer struct {
	Name    string
	Site    string
	PID     int
	Stopped bool
	Leaving bool
}

// Alive are the processes that have not ended, stopped ones too, in the order in
// which they were started.
func (g *Grid) Alive() []Peer {
	g.mu.Lock()
	defer g.mu.Unlock()
	var list []Peer
	for _, p := range g.all {
		if p.cmd == nil || p.cmd.Process == nil || !p.lives() {
			continue
		}
		p.mu.Lock()
		list = append(list, Peer{p.name, p.site, p.cmd.Process.Pid, p.stopped, p.leaving})
		p.mu.Unlock()
	}
	return list
}

// Join starts one more process at a site, and returns its name at once. What became of it is told
// to done, which may be nil.
func (g *Grid) Join(site string, workers int, done func(error)) (string, error) {
	p := g.prepare(site, workers)
	if err := g.begin(p); err != nil {
		return p.name, err
	}
	go func() { // ends when the process tells what became of it, or ends
		<-p.ready
		if done != nil {
			done(p.failure())
		}
	}()
	return p.name, nil
}

// Kill kills a process, as kill -9 does.
func (g *Grid) Kill(name string) error {
	return g.act(name, func(p *process) error {
		p.kill()
		return nil
	})
}

// Leave tells a peer to leave the grid in order.
func (g *Grid) Leave(name string) error {
	return g.act(name, func(p *process) error { return p.leave(g.options.Grace) })
}

// Stop stops a process, and Cont lets it go on.
func (g *Grid) Stop(name string) error { return g.act(name, (*process).stop) }

// Cont lets a process go on that was stopped.
func (g *Grid) Cont(name string) error { return g.act(name, (*process).cont) }

func (g *Grid) act(name string, do func(*process) error) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	p := g.find(name)
	if p == nil || p.cmd == nil || p.cmd.Process == nil {
		return fmt.Errorf("there is no peer %s", name)
	}
	if !p.lives() {
		return fmt.Errorf("%s has ended already", name)
	}
	return do(p)
}

// find is the process of that name. The caller holds mu.
func (g *Grid) find(name string) *process {
	i := slices.IndexFunc(g.all, func(p *process) bool { return p.name == name })
	if i < 0 {
		return nil
	}
	return g.all[i]
}

// Cut cuts what lies between two sites, also for peers that join later.
func (g *Grid) Cut(c Cut) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cuts, g.cutAt = append(g.cuts, c), time.Now()
	g.broadcast(instruction{Cut: &c})
}

// Heal ends all cuts.
func (g *Grid) Heal() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.cuts = nil
	g.broadcast(instruction{Heal: true})
}

// broadcast tells all that live. One that cannot be told is about to be found dead.
// The caller holds mu.
func (g *Grid) broadcast(o instruction) {
	for _, p := range g.all {
		if p.cmd != nil && p.cmd.Process != nil && p.lives() {
			p.order(o)
		}
	}
}

// Close ends the client and all processes, and returns when nothing of them is left.
func (g *Grid) Close() {
	g.mu.Lock()
	g.closing = true
	started := slices.DeleteFunc(slices.Clone(g.all), func(p *process) bool { return p.cmd == nil || p.cmd.Process == nil })
	g.mu.Unlock()
	if g.Client != nil {
		g.Client.Close()
	}
	var group sync.WaitGroup
	for _, p := range started {
		group.Go(p.end)
	}
	group.Wait()
}

// Kill9 ends all processes at once and waits for nothing: for a second interrupt.
func (g *Grid) Kill9() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.closing = true
	for _, p := range g.all {
		if p.cmd != nil && p.cmd.Process != nil {
			p.kill()
		}
	}
}

// end asks a process to end, and kills it when it does not, or cannot because it is stopped.
func (p *process) end() {
	p.orders.Close()
	p.mu.Lock()
	stopped := p.stopped
	p.mu.Unlock()
	if stopped {
		p.kill()
	}
	timer := time.AfterFunc(endMax, p.kill)
	defer timer.Stop()
	<-p.ended
}
