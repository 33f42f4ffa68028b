package peer

import (
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// keepEndsEvery is how often the ends of what kept runs are given out to be kept: at once where
// that was not done lately, and else no more often than a disk should write some hundred KB.
const keepEndsEvery = 5 * time.Second

// KeepEnds tells that submissions have ended that kept runs, to be kept for the next start:
// another's disk may bring them up then; see [Sight.Ends].
type KeepEnds struct{}

// ends buries submissions that have ended, and decides when those that kept runs are given out to
// be kept, whether or not this process stores its runs: another's disk may bring them up.
type ends struct {
	outbox
	on         bool // there may be a folder: a client has no past
	tombstones *tombstones

	due bool          // there is news
	at  time.Duration // it is not given out before
}

// bury buries one, and tells whether that is news.
func (e *ends) bury(now time.Duration, t Tombstone) (news bool, effects []membership.Effect) {
	news = e.tombstones.add(now, t)
	e.due = e.due || news && t.Submission.Keeps && e.on
	return news, e.tick(now)
}

// tick gives the news out, where it is time for that.
func (e *ends) tick(now time.Duration) []membership.Effect {
	if e.due && now >= e.at {
		e.due, e.at = false, now+keepEndsEvery
		e.do(KeepEnds{})
	}
	return e.flush()
}

func (e *ends) deadline() time.Duration {
	if !e.due {
		return steal.Never
	}
	return e.at
}

// remembered takes what this process has kept from an earlier life.
func (e *ends) remembered(now time.Duration, all []Tombstone) {
	for _, t := range all[:min(len(all), EndedMax)] {
		if t.Submission.Keeps {
			e.tombstones.add(now, t)
		}
	}
}
