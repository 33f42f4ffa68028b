package control

import "satingrid/satin/peer/workers"

// Totals is what a peer has done on its grid since it was opened. Each only grows, but for what
// says otherwise. What a job does after its run has ended is not in them.
type Totals struct {
	Jobs    int64   `json:"jobs"`         // that were spawned here, in all runs
	Aborted int64   `json:"aborted"`      // of these, not needed any more
	Busy    float64 `json:"busy_seconds"` // of workers

	LentNear uint64 `json:"lent_near"` // jobs lent within the site
	LentFar  uint64 `json:"lent_far"`  // jobs lent outside it
	Borrowed uint64 `json:"borrowed"`  // jobs that came from others
	Again    uint64 `json:"again"`     // jobs put back after a loss

	Advertised uint64 `json:"advertised"`  // results offered to whoever does lost work again
	Fetched    uint64 `json:"fetched"`     // results that others had
	Reused     uint64 `json:"reused"`      // results that spared their work
	CopiesSent uint64 `json:"copies_sent"` // finished parts given to another peer to keep
	CopiesUsed uint64 `json:"copies_used"` // of those kept here for others, that were used

	BytesNear int64 `json:"bytes_near,omitempty"` // sent within the site
	BytesFar  int64 `json:"bytes_far"`            // sent to other sites

	// requests for jobs that others have answered, and how long that took, together
	AskedNear uint64  `json:"asked_near,omitempty"`
	AskedFar  uint64  `json:"asked_far,omitempty"`
	TripsNear float64 `json:"trips_near_seconds,omitempty"`
	TripsFar  float64 `json:"trips_far_seconds,omitempty"`
	// when at least one of them was under way: a peer asks for jobs when a worker has none
	Asking float64 `json:"asking_seconds,omitempty"`
	// of the busy ones, on what others had done before they were lost, about
	Repairing float64 `json:"repairing_seconds,omitempty"`

	// not a total: jobs of other peers, and roots, that the workers have now
	Executing int `json:"executing"`
}

// count adds what was done here for a run.
func (t *Totals) count(r workers.Run) {
	c := r.Counts()
	t.Jobs += c.Jobs
	t.Aborted += c.Aborted
	t.Busy += c.Busy.Seconds()
	for _, x := range r.Redone() {
		t.Repairing += x.Spent.Seconds()
	}
}

// Totals is what this peer has done so far.
func (l *Loop) Totals() (t Totals) {
	l.ask(func() {
		t = l.runs.over
		for _, r := range l.runs.on {
			t.count(r.at)
		}
		c := l.machine.Sight().Stats()
		t.LentNear, t.LentFar, t.Borrowed, t.Again = c.LentNear, c.LentFar, c.Borrowed, c.Again
		t.Advertised, t.Fetched, t.Reused = c.Advertised, c.Fetched, c.Reused
		t.CopiesSent, t.CopiesUsed = c.CopiesSent, c.CopiesUsed
		t.BytesNear, t.BytesFar, t.Executing = l.far.near, l.far.bytes(), l.runs.Executing()
		l.asking.look(l.now())
		near, far := l.asking.trips[0], l.asking.trips[1]
		t.AskedNear, t.AskedFar = near.answered, far.answered
		t.TripsNear, t.TripsFar, t.Asking = near.took.Seconds(), far.took.Seconds(), l.asking.spent.Seconds()
	})
	return t
}
