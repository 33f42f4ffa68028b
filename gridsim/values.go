package gridsim

import "satingrid/steal"

// rightValues are what jobs come to on one core.
type rightValues struct {
	work Workload
	all  map[steal.Key]steal.Result // see of
	many bool                       // there are too many jobs to compute them all beforehand
}

// of is what the job of that key comes to, where that does not depend on what was pruned or
// drawn. All jobs are computed when it is asked for the first time.
func (v *rightValues) of(run, key steal.Key) (steal.Result, bool) {
	if _, choosing := v.work.(*Search); choosing || v.many || isFickle(v.work) {
		return steal.Result{}, false
	}
	if v.all == nil {
		v.all = map[steal.Key]steal.Result{}
		evaluate(v.work, v.work.Root(), func(args []byte, r steal.Result) { v.all[jobKey(run, args)] = r })
	}
	r, ok := v.all[key]
	return r, ok
}
