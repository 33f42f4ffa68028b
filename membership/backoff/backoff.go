// Package backoff is how long whoever tries again waits: for a while at first, then longer and
// longer, up to a bound.
//
// A [Backoff] is one row of such waits, and where somebody is in it. All machines have theirs from
// here: who dials again, asks for jobs again, submits, returns, keeps, copies or hands over again.
// What each waits for, and from when on, is its own; so are the first wait and the longest,
// constants beside what they are for. The factor is one for all, [Factor].
//
// Like the machines that use it, it reads no clock and draws from no source but one that it is
// given. A Backoff is a value of three words, and its zero value does not wait.
package backoff

import (
	"math/rand/v2"
	"time"
)

// Factor is how many times as long each wait is as the one before: with two, whoever waits for
// something finds it at the latest when twice the time has gone by, with a number of messages that
// is a logarithm of that time.
const Factor = 2

// Backoff is a row of waits, and where somebody is in it.
type Backoff struct{ first, most, last time.Duration }

// New makes a row that begins with first and grows up to most. A first that is longer than that is
// kept: so long takes what was sent, because it is big.
func New(first, most time.Duration) Backoff { return Backoff{first: first, most: most} }

// Next is how long to wait now.
func (b *Backoff) Next() time.Duration {
	b.last = b.after(b.last)
	return b.last
}

// after is the wait that follows one; 0: there was none.
func (b *Backoff) after(last time.Duration) time.Duration {
	switch {
	case last == 0:
		return b.first
	case last >= b.most-last: // twice that would be too long, or no number
		return max(b.first, b.most)
	}
	return Factor * last
}

// After is the wait that comes after n others, for who counts failures anyway.
func (b Backoff) After(n int) time.Duration {
	b.last = b.first
	for range n {
		if next := b.after(b.last); next != b.last {
			b.last = next
			continue
		}
		break
	}
	return b.last
}

// Reset begins anew, as there is hope again.
func (b *Backoff) Reset() { b.last = 0 }

// Longest is the longest wait, to be waited for now and from now on: nothing is urgent any more.
func (b *Backoff) Longest() time.Duration {
	b.last = max(b.first, b.most)
	return b.last
}

// Bound makes another wait the longest.
func (b *Backoff) Bound(most time.Duration) { b.most = most }

// Scatter draws a wait from the second half of one, so that those who wait for the same do not
// march in step.
func Scatter(wait time.Duration, rng *rand.Rand) time.Duration {
	return wait/2 + time.Duration(rng.Int64N(int64(wait/2)+1))
}
