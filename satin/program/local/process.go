package local

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"time"
)

// process is one child. Its goroutine, watch, ends when the child has.
type process struct {
	name    string
	site    string
	workers int
	core    int // that it is pinned to; -1: none

	cmd    *exec.Cmd
	orders io.WriteCloser
	ready  chan struct{} // closed when it has told what became of it, or has ended
	ended  chan struct{} // closed when nothing of it is left

	mu      sync.Mutex // protects what follows
	told    announced
	stopped bool
	leaving bool
	killed  bool
	// when it was killed, stopped or found to have ended, but for leaving; zero: never
	moment time.Time
}

// launch starts a child and gives it its first order.
func launch(p *process, o Options, s start) error {
	p.cmd = exec.Command(o.Command[0], o.Command[1:]...)
	p.cmd.Stderr = o.Stderr
	p.cmd.SysProcAttr = attributes()
	p.ready, p.ended = make(chan struct{}), make(chan struct{})
	var err error
	if p.orders, err = p.cmd.StdinPipe(); err != nil {
		return fmt.Errorf("local: start %s: %w", p.name, err)
	}
	tales, err := p.cmd.StdoutPipe()
	if err != nil {
		return fmt.Errorf("local: start %s: %w", p.name, err)
	}
	if err := startOn(p.core, p.cmd); err != nil {
		return fmt.Errorf("local: start %s: %w", p.name, err)
	}
	go p.watch(tales)
	if err := p.order(instruction{Start: &s}); err != nil {
		p.kill()
		return fmt.Errorf("local: start %s: %w", p.name, err)
	}
	return nil
}

// watch takes what the child tells, until it has ended.
func (p *process) watch(tales io.Reader) {
	defer close(p.ended)
	lines := bufio.NewScanner(tales)
	heard := lines.Scan()
	p.mu.Lock()
	if !heard || json.Unmarshal(lines.Bytes(), &p.told) != nil {
		p.told = announced{Error: "the process ended before it was a member"}
	}
	p.mu.Unlock()
	close(p.ready)
	for lines.Scan() { // until it ends
	}
	p.cmd.Wait() // how it ended says nothing: most are killed
	p.mu.Lock()
	defer p.mu.Unlock()
	if !p.killed && !p.stopped && !p.leaving {
		p.moment = time.Now() // somebody else ended it
	}
}

// order tells the child something. The pipe holds far more than all orders of a script,
// so this does not wait.
func (p *process) order(o instruction) error {
	line, err := json.Marshal(o)
	if err != nil {
		panic("local: BUG: " + err.Error())
	}
	_, err = p.orders.Write(append(line, '\n'))
	return err
}

// kill ends the process, also one that is stopped.
func (p *process) kill() {
	p.mu.Lock()
	p.killed, p.moment = true, time.Now()
	p.mu.Unlock()
	p.cmd.Process.Kill() // an error says that it has ended
}

// leave tells the process to leave the grid. A second time changes nothing.
func (p *process) leave(within time.Duration) error {
	p.mu.Lock()
	again := p.leaving
	p.leaving = true
	p.mu.Unlock()
	if again {
		return nil
	}
	return p.order(instruction{Leave: within})
}

func (p *process) stop() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped, p.moment = true, time.Now()
	return suspend(p.cmd.Process)
}

// cont lets the process go on. What happens to it from now on has nothing to do with
// when it was stopped.
func (p *process) cont() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stopped = false
	p.back()
	return resume(p.cmd.Process)
}

// lives tells whether the process has not ended and was not told to.
func (p *process) lives() bool {
	select {
	case <-p.ended:
		return false
	default:
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	return !p.killed
}

// stays tells whether the process lives and was not told to leave.
func (p *process) stays() bool {
	p.mu.Lock()
	leaving := p.leaving
	p.mu.Unlock()
	return !leaving && p.lives()
}

// failure is why the child is no member.
func (p *process) failure() error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.told.Error == "" {
		return nil
	}
	return errors.New(p.told.Error)
}
