package control

import (
	"time"

	"satingrid/membership"
	"satingrid/satin/peer"
)

// forWorkers is the loop as the workers see it.
type forWorkers struct{ l *Loop }

func (f forWorkers) Now() time.Duration                 { return f.l.now() }
func (f forWorkers) Post(do func())                     { f.l.post(do) }
func (f forWorkers) Go(do func())                       { f.l.goroutines.Go(do) }
func (f forWorkers) Do(effects []peer.Effect)           { f.l.do(effects) }
func (f forWorkers) Flush()                             { f.l.posted.doAll() }
func (f forWorkers) NameOf(id membership.PeerID) string { return f.l.nameOf(id) }
