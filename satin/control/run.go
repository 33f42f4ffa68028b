package control

import (
	"time"

	"satingrid/satin/control/driver"
	"satingrid/satin/peer"
)

// run is the loop. It returns when its context ends.
func (l *Loop) run() {
	defer l.goroutines.Done()
	defer close(l.over)
	defer l.driver.Close()
	defer func() { l.submissions.end(l.Err(), l.known) }()
	timer := l.conf.Clock.AfterFunc(0, l.posted.look)
	defer timer.Stop()
	for l.ctx.Err() == nil {
		timer.Reset(min(max(l.driver.Deadline()-l.now(), 0), time.Hour))
		select {
		case <-l.ctx.Done():
		case <-l.posted.wake:
			l.posted.doAll()
		case a := <-l.incoming.frames:
			l.arrived(a)
		}
		if now := l.now(); now >= l.driver.Deadline() {
			l.driver.Tick()
			l.incoming.promised.Store(int64(l.machine.Sight().Promised()))
		}
		l.submissions.find(l.runs.on)
	}
}

// arrived hands a message to the machine.
func (l *Loop) arrived(a arrival) {
	if a.client {
		l.machine.Proved(a.from, true)
	}
	l.asking.came(l.now(), a.from, a.message)
	l.driver.Received(a.from, a.message)
	if n := peer.Size(a.message.Body); n > driver.BulkBig {
		l.giveBack.came(n, len(l.runs.on))
	}
}
