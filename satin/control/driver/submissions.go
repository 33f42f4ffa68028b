package driver

import (
	"slices"
	"time"

	"satingrid/membership"
	"satingrid/satin/control/statistics"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// submissions are those of this process that have not ended; the machine bounds them.
type submissions struct{ all []*submission }

// submission is one of them.
type submission struct {
	nonce     steal.Nonce
	since     time.Duration // when it was submitted …
	took      time.Duration // … and how long the answer took, once it has come
	delivered bool          // the answer has come, and is being read
	isRead    bool          // so too …
	isWhole   bool          // … and its statistics are as whole as they will be
	attaching
	statistics statistics.Tally
}

// find is the one with that nonce, or nil.
func (s *submissions) find(nonce steal.Nonce) *submission {
	for _, u := range s.all {
		if u.nonce == nonce {
			return u
		}
	}
	return nil
}

// of are those that wait for a run's answer, as far as that is known.
func (s *submissions) of(no peer.RunNo, runOf func(steal.Nonce) (peer.RunNo, bool)) (all []*submission) {
	for _, u := range s.all {
		if its, ok := runOf(u.nonce); ok && its == no {
			all = append(all, u)
		}
	}
	return all
}

// stats are what is known of one.
func (u *submission) stats(now time.Duration) statistics.Stats {
	took := u.took
	if !u.delivered {
		took = now - u.since
	}
	return u.statistics.Stats(now, took)
}

// Submit submits a root. Owner.Ended hears once what it comes to: when the effects have been
// carried out, or later.
func (d *Driver) Submit(root peer.Root) (steal.Nonce, []peer.Effect, error) {
	nonce, effects, err := d.machine.Submit(d.owner.Now(), root)
	if err != nil {
		return 0, nil, err
	}
	d.begins(nonce)
	return nonce, effects, nil
}

// begins notes a submission.
func (d *Driver) begins(nonce steal.Nonce) *submission {
	u := &submission{nonce: nonce, since: d.owner.Now()}
	for _, m := range d.machine.Sight().Members() {
		u.statistics.Joined(m)
	}
	if !d.conf.Client {
		u.statistics.Joined(d.machine.Sight().Self())
	}
	d.submissions.all = append(d.submissions.all, u)
	return u
}

// Withdraw withdraws a submission, unless it has ended or its answer is being read.
func (d *Driver) Withdraw(nonce steal.Nonce) { d.withdraw(nonce, End{How: Withdrawn}) }

func (d *Driver) withdraw(nonce steal.Nonce, how End) {
	if u := d.submissions.find(nonce); u != nil && !u.delivered {
		d.ends(u, how)
		d.Do(d.machine.Cancel(d.owner.Now(), nonce))
	}
}

// Waits tells whether a submission of this process waits for a run's answer.
func (d *Driver) Waits(no peer.RunNo) bool {
	return len(d.submissions.of(no, d.machine.Sight().RunOf)) > 0
}

// Statistics are what is known of a submission that has not ended, and how far its master has told
// that it is.
func (d *Driver) Statistics(nonce steal.Nonce) (s statistics.Stats, progress float64, ok bool) {
	u := d.submissions.find(nonce)
	if u == nil {
		return s, 0, false
	}
	return u.stats(d.owner.Now()), u.statistics.Progress(), true
}

// deliver takes an answer. It is handed on when it has been read, and the machine says that no more
// statistics are worth waiting for.
func (d *Driver) deliver(e peer.Deliver) {
	u := d.submissions.find(e.Nonce)
	if u == nil || u.delivered {
		return
	}
	if e.Result.Outcome == steal.Value {
		u.statistics.Answered(time.Duration(e.Result.Cost) * time.Millisecond)
	}
	u.delivered, u.took = true, d.owner.Now()-u.since
	d.owner.Read(u.nonce, e.Result, func() {
		u.isRead = true
		d.handOn(u)
	})
}

// reported takes what a peer has told of a run of this process.
func (d *Driver) reported(e peer.Reported) {
	if u := d.submissions.find(e.Nonce); u != nil {
		first := e.Report.Run.First
		if first.Nonce != e.Nonce || first.Submitter != d.machine.Sight().Self().ID {
			u.statistics.IsLate()
		}
		u.statistics.Told(d.owner.Now(), e.From, e.Report)
	}
}

// allReported hears that an answer's statistics are as whole as they will be.
func (d *Driver) allReported(e peer.AllReported) {
	if u := d.submissions.find(e.Nonce); u != nil {
		u.isWhole = true
		d.handOn(u)
	}
}

// handOn hands an answer on, if that is due.
func (d *Driver) handOn(u *submission) {
	if u.isRead && u.isWhole && !u.lacksRoot() {
		d.ends(u, End{How: Answered})
	}
}

// ends tells what a submission has come to, and forgets it.
func (d *Driver) ends(u *submission, how End) {
	at := slices.Index(d.submissions.all, u)
	if at < 0 {
		return
	}
	d.submissions.all = slices.Delete(d.submissions.all, at, at+1)
	how.Statistics, how.Progress = u.stats(d.owner.Now()), u.statistics.Progress()
	d.owner.Ended(u.nonce, how)
}

// joined and lost hear who comes and goes.

func (d *Driver) joined(m membership.Member) {
	for _, u := range d.submissions.all {
		u.statistics.Joined(m)
	}
	if no, is := d.masters.named(m.ID); is {
		d.tellMaster(no, m.ID)
	}
}

func (d *Driver) lost(e membership.Lost) {
	how, late := d.leavers.lost(e.Member)
	for _, u := range d.submissions.all {
		u.statistics.Lost(e, how)
	}
	if d.conf.NoFT && how != membership.Went {
		for _, u := range slices.Clone(d.submissions.all) {
			d.withdraw(u.nonce, End{How: Bereft, Lost: e.Member})
		}
	}
	d.owner.Tell(MemberLost{Member: e.Member, How: how, Noticed: e.Noticed, Late: late})
}
