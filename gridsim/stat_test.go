package gridsim
import ("testing";"fmt")
func TestStat(t *testing.T) {
	var a Report
	ep, rej, ag, far, multi := 0,0,0,0,0
	for seed := uint64(0); seed < 500; seed++ {
		o := Draw(seed)
		o.CheckAll = seed%4==0
		r, err := Run(o)
		if err != nil { t.Fatal(err) }
		a.Events += r.Events; a.Jobs += r.Jobs; a.LentNear += r.LentNear; a.LentFar += r.LentFar; a.Again += r.Again
		if r.Epochs > 1 {ep++}
		if r.Rejoined>0 {rej++}
		if r.Again>0 {ag++}
		if r.LentFar>0 {far++}
		if o.Submitted>1 {multi++}
		a.Lost += r.Lost; a.Killed += r.Killed; a.Messages += r.Messages
		if seed < 30 { fmt.Printf("%d %T peers %d events %d took %v jobs %d near %d far %d again %d eff %.2f\n", seed, o.Workload, r.Workers, r.Events, r.Took, r.Jobs, r.LentNear, r.LentFar, r.Again, float64(r.Busy)/float64(r.Took)/float64(r.Workers)) }
	}
	a.Last=nil
	fmt.Printf("%+v\nepochs>1 %d rejoined %d again %d far %d multi %d\n", a, ep, rej, ag, far, multi)
}
