package satin

import (
	"fmt"
	"os"
	"os/user"
	"sync"
	"time"

	"satingrid/satin/peer"
)

// Option says something of a submission beside its task; see [Submit]. What is said of a run that
// computes alone, without a grid, is looked at, and has no use.
type Option func(*terms) error

// terms are what a submission says beside its task.
type terms struct {
	peer.Terms
	asked peer.Asked
}

// KeepMax is the longest time for [Keep].
const KeepMax = peer.KeepMax

// Keep lets a run go on whatever becomes of this process, and has its answer kept by the grid for
// so long after it is there, in whole seconds, up to [KeepMax]: [Attach] gets it. Of several who
// submit one root the longest time holds. 0 is a run that ends when nobody waits for it any more.
func Keep(d time.Duration) Option {
	return func(t *terms) error {
		keep, err := keepSeconds(d)
		t.Keep = keep
		return err
	}
}

func keepSeconds(d time.Duration) (uint32, error) {
	if d < 0 || d > KeepMax || d > 0 && d < time.Second {
		return 0, fmt.Errorf("satin: a run is kept for 1s to %v, or 0 for not at all, not for %v", KeepMax, d)
	}
	return uint32(d / time.Second), nil
}

// Share is how much of the workers a run gets beside others, in place of Config.Share.
func Share(n int) Option {
	return func(t *terms) error {
		if n < 1 || n > ShareMax {
			return fmt.Errorf("satin: a share is from 1 to %d, not %d", ShareMax, n)
		}
		t.Terms.Share = uint16(n)
		return nil
	}
}

// Fresh has a run computed from the start: nothing is used of former runs of the same root, neither
// what nodes have stored of one that was given up nor an answer that is kept. One that is on now is
// no exception, since it may have begun with what was stored: both compute, beside each other. Only
// one that was submitted with Fresh, too, and is on or has its answer kept, is joined.
func Fresh() Option {
	return func(t *terms) error {
		t.Terms.Fresh = true
		return nil
	}
}

// Label says in words what a run is, for people who look at the runs of the grid: up to 200 bytes
// that can be printed.
func Label(text string) Option {
	return func(t *terms) error {
		t.asked.Label = text
		if !t.asked.Sound() {
			return fmt.Errorf("satin: a label has up to %d bytes that can be printed, not %q", peer.LabelMax, text)
		}
		return nil
	}
}

// By says who has submitted a run, for people who look at the runs of the grid: up to 64 bytes that
// can be printed. By default it is the name of who runs this process, and of the machine.
func By(who string) Option {
	return func(t *terms) error {
		t.asked.By = who
		if !t.asked.Sound() {
			return fmt.Errorf("satin: a name has up to %d bytes that can be printed, not %q", peer.AskedByMax, who)
		}
		return nil
	}
}

// termsOf are a submission's, beside what the peer's configuration says of all.
func (p *Peer) termsOf(all []Option) (t terms, err error) {
	t = terms{p.terms, peer.Asked{By: whoRunsThis(), At: time.Now().Unix()}}
	for _, o := range all {
		if err := o(&t); err != nil {
			return t, err
		}
	}
	return t, nil
}

// whoRunsThis is user@host, as far as they are known and can be shown.
var whoRunsThis = sync.OnceValue(func() string {
	who := ""
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	if host, err := os.Hostname(); err == nil {
		who += "@" + host
	}
	if !(peer.Asked{By: who}).Sound() {
		return ""
	}
	return who
})
