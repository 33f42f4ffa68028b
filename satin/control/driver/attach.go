package driver

import (
	"slices"

	"satingrid/satin/peer"
	"satingrid/steal"
)

// Rooted is the news that the root of a run has come to which a submission attaches.
type Rooted struct {
	Nonce steal.Nonce
	Root  peer.Root
}

// attaching is how a submission attaches to a run: it begins none.
type attaching struct {
	run    steal.Key // by its id; zero: it does not
	task   string    // that its root must be of
	rooted bool      // its root has come
}

// lacksRoot tells whether it attaches to a run whose root has not come.
func (a *attaching) lacksRoot() bool { return a.run != steal.Key{} && !a.rooted }

// Attach asks for the answer of a run that is on or kept, by its id, whose root is of that task.
// Owner.Ended hears once what it comes to, and before an answer Tell hears [Rooted].
func (d *Driver) Attach(run steal.Key, task string) (steal.Nonce, []peer.Effect, error) {
	nonce, effects, err := d.machine.Attach(d.owner.Now(), run)
	if err != nil {
		return 0, nil, err
	}
	d.begins(nonce).attaching = attaching{run: run, task: task}
	return nonce, effects, nil
}

// Release lets go of a submission, unless it has ended or its answer is being read: what it keeps
// goes on.
func (d *Driver) Release(nonce steal.Nonce) {
	if u := d.submissions.find(nonce); u != nil && !u.delivered {
		d.ends(u, End{How: Released})
		d.Do(d.machine.Release(d.owner.Now(), nonce))
	}
}

// notOn hears that there is no run for one that attaches.
func (d *Driver) notOn(nonce steal.Nonce) {
	if u := d.submissions.find(nonce); u != nil {
		d.ends(u, End{How: NotOn})
	}
}

// findRoots looks for the roots of runs to which submissions attach. An answer that comes before
// its root waits; that of a run which has ended with it, and was not kept, is of no use to who does
// not know what it answers.
func (d *Driver) findRoots() {
	for _, u := range slices.Clone(d.submissions.all) {
		if !u.lacksRoot() {
			continue
		}
		switch root, known := d.machine.Sight().Root(u.run); {
		case known && root.Task != u.task:
			d.withdraw(u.nonce, End{How: OtherTask, Task: root.Task})
		case root.Args != nil:
			u.rooted = true
			d.owner.Tell(Rooted{u.nonce, root})
			d.handOn(u)
		case !known && u.delivered:
			d.ends(u, End{How: NotOn})
		}
	}
}
