package workerstest

import (
	"slices"

	"satingrid/satin/peer"
	"satingrid/satin/peer/workers"
	"satingrid/steal"
)

// Plants are violations of each rule, one or more, with the script that finds each.
func Plants() []Plant {
	return slices.Concat(lostOrders(), changedOrders(), plantedEvents(), plantedAnswers())
}

// lostOrders are orders that are not carried out.
func lostOrders() []Plant {
	return []Plant{
		{Name: "no PutBack", Breaks: RulePutBack, Script: "put back", hears: lost[peer.PutBack]},
		{Name: "no Settle", Breaks: RuleSettled, Script: "passed on", hears: lost[peer.Settle]},
		{Name: "no Withdraw", Breaks: RuleFinished, Script: "withdrawn while it computes", hears: lost[peer.Withdraw]},
		{Name: "no EndRun", Breaks: RuleEnded, Script: "run ends", hears: lost[peer.EndRun]},
		{Name: "no Use", Breaks: RuleUsed, Script: "keys and values", hears: lost[peer.Use]},
		{Name: "no WantJobs", Breaks: RuleOnce, Script: "steal", hears: lost[steal.WantJobs]},
		{Name: "no WantParts", Breaks: RuleOnce, Script: "parts and salvage", hears: lost[peer.WantParts]},
		{Name: "no WantKeys", Breaks: RuleOnce, Script: "keys and values", hears: lost[peer.WantKeys]},
		{Name: "no Compare", Breaks: RuleOnce, Script: "bests", hears: lost[peer.Compare]},
		{Name: "no Differ", Breaks: RuleOnce, Script: "answers differ", hears: lost[peer.Differ]},
		{Name: "no Execute", Breaks: RuleFinished, Script: "a tree", hears: lost[peer.Execute]},
		{Name: "no ShareIs", Breaks: RuleShare, Script: "shares", hears: lost[peer.ShareIs]},
	}
}

// changedOrders are orders that are carried out otherwise.
func changedOrders() []Plant {
	return []Plant{
		{
			Name: "WantJobs waits though some are asked for", Breaks: RuleAtOnce, Script: "nothing to take",
			hears: changed(func(e *steal.WantJobs) { e.Of = nil }),
		},
		{
			Name: "WantJobs takes of any run first", Breaks: RuleTurn, Script: "one run at a time",
			hears: changed(func(e *steal.WantJobs) { slices.Reverse(e.Of) }),
		},
		{
			Name: "WantJobs takes as many bytes as there are", Breaks: RuleBytes, Script: "bytes",
			hears: changed(func(e *steal.WantJobs) { e.Bytes = 1 << 20 }),
		},
		{
			Name: "a root is Taken", Breaks: RuleTaken, Script: "roots stay",
			hears: changed(func(e *peer.Execute) { e.IsRoot = false }),
		},
		{
			Name: "what is verified is lent", Breaks: RulePassedOn, Script: "verified",
			hears: changed(func(e *peer.Execute) { e.Verifies = false }),
		},
		{
			Name: "nothing is salvaged", Breaks: RuleOneEnd, Script: "salvaged before it starts",
			hears: changed(func(e *peer.Withdraw) { e.Salvage = false }),
		},
		{
			Name: "what a loss puts back is put down to none", Breaks: RuleRedone, Script: "losses are charged",
			hears: changed(func(e *peer.PutBack) { e.Loss = 0 }),
		},
	}
}

// hearing makes a plant of what stands between the workers and who hears them.
func hearing(name string, breaks Rule, script string, plant func(e *ear, to workers.Events)) Plant {
	return Plant{Name: name, Breaks: breaks, Script: script, says: func(to workers.Events) workers.Events {
		e := &ear{Events: to}
		plant(e, to)
		return e
	}}
}

// plantedEvents are events that are lost, changed, said twice or too late.
func plantedEvents() []Plant {
	return slices.Concat(saidOfIdle(), saidOfTaken(), saidOfEnds(), saidOfParts(), saidOfBests())
}

func saidOfIdle() []Plant {
	return []Plant{
		hearing("Idle of none is not said", RuleIdle, "idle", func(e *ear, to workers.Events) {
			e.idle = func(n int) {
				if n > 0 {
					to.Idle(0, n)
				}
			}
		}),
		hearing("Idle of more workers than there are", RuleIdle, "idle", func(e *ear, to workers.Events) {
			e.idle = func(n int) { to.Idle(0, n+1) }
		}),
		hearing("Lacks of nothing is not said", RuleLacks, "lacks", func(e *ear, to workers.Events) {
			e.lacks = func(runs []peer.RunNo) {
				if len(runs) > 0 {
					to.Lacks(0, runs)
				}
			}
		}),
		hearing("Lacks is said twice", RuleLacks, "lacks", func(e *ear, to workers.Events) {
			e.lacks = func(runs []peer.RunNo) { to.Lacks(0, runs); to.Lacks(0, runs) }
		}),
		hearing("Lacks is of the first only", RuleLacks, "many lack", func(e *ear, to workers.Events) {
			said := -1
			e.lacks = func(runs []peer.RunNo) {
				if runs = runs[:min(len(runs), steal.LacksMax)]; len(runs) != said {
					to.Lacks(0, runs)
				}
				said = len(runs)
			}
		}),
	}
}

func saidOfTaken() []Plant {
	each := func(name string, breaks Rule, script string, change func(j *peer.Job)) Plant {
		return hearing(name, breaks, script, func(e *ear, to workers.Events) {
			e.taken = func(jobs []peer.Job) {
				for i := range jobs {
					change(&jobs[i])
				}
				to.Taken(0, jobs)
			}
		})
	}
	return []Plant{
		each("a Ref is used again", RuleTaken, "steal", func(j *peer.Job) { j.Ref = 1 }),
		each("a job is Taken under another's key", RuleTaken, "steal", func(j *peer.Job) { j.Key[0]++ }),
		each("what is borrowed is not said to be", RulePassedOn, "passed on", func(j *peer.Job) { j.PassedOn = false }),
		each("what is spawned is said to be borrowed", RulePassedOn, "steal", func(j *peer.Job) { j.PassedOn = true }),
		each("a part of what verifies does not", RulePassedOn, "verified", func(j *peer.Job) { j.Verifies = false }),
		hearing("Taken is said twice", RuleOnce, "steal", func(e *ear, to workers.Events) {
			e.taken = func(jobs []peer.Job) { to.Taken(0, jobs); to.Taken(0, nil) }
		}),
		hearing("more are Taken than were wanted", RuleHalf, "steal", func(e *ear, to workers.Events) {
			e.taken = func(jobs []peer.Job) { to.Taken(0, slices.Concat(jobs, jobs, jobs)) }
		}),
		hearing("Abandoned is not said", RuleAbandoned, "withdrawn", func(e *ear, _ workers.Events) {
			e.abandoned = func([]steal.Ref, bool) {}
		}),
		hearing("Abandoned is said twice", RuleAbandoned, "withdrawn", func(e *ear, to workers.Events) {
			e.abandoned = func(refs []steal.Ref, o bool) { to.Abandoned(0, refs, o); to.Abandoned(0, refs, o) }
		}),
		hearing("orphans are not said to be", RuleOrphaned, "parts and salvage", func(e *ear, to workers.Events) {
			e.abandoned = func(refs []steal.Ref, _ bool) { to.Abandoned(0, refs, false) }
		}),
		hearing("all are said to be orphans", RuleOrphaned, "withdrawn", func(e *ear, to workers.Events) {
			e.abandoned = func(refs []steal.Ref, _ bool) { to.Abandoned(0, refs, true) }
		}),
	}
}

func saidOfEnds() []Plant {
	return []Plant{
		hearing("Finished is said twice", RuleFinished, "a tree", func(e *ear, to workers.Events) {
			e.finished = func(b steal.Borrow, x steal.Result) { to.Finished(0, b, x); to.Finished(0, b, x) }
		}),
		hearing("an error for a value", RuleRight, "a tree", func(e *ear, to workers.Events) {
			e.finished = func(b steal.Borrow, x steal.Result) { x.Outcome = steal.Failed; to.Finished(0, b, x) }
		}),
		hearing("a result that cannot be read", RuleRight, "a tree", func(e *ear, to workers.Events) {
			e.finished = func(b steal.Borrow, x steal.Result) { x.Bytes = x.Bytes[1:]; to.Finished(0, b, x) }
		}),
		hearing("the result of another job", RuleRight, "failing jobs", func(e *ear, to workers.Events) {
			var first []byte
			e.finished = func(b steal.Borrow, x steal.Result) {
				if x.Outcome == steal.Value && first == nil {
					first = x.Bytes
				}
				if x.Outcome == steal.Value {
					x.Bytes = first
				}
				to.Finished(0, b, x)
			}
		}),
		hearing("Stopped is not said", RuleOneEnd, "salvaged before it starts", func(e *ear, _ workers.Events) {
			e.stopped = func(steal.Borrow) {}
		}),
		hearing("Stopped is said twice", RuleOneEnd, "salvaged before it starts", func(e *ear, to workers.Events) {
			e.stopped = func(b steal.Borrow) { to.Stopped(0, b); to.Stopped(0, b) }
		}),
		hearing("Finished and Stopped", RuleOneEnd, "salvaged before it starts", func(e *ear, to workers.Events) {
			e.stopped = func(b steal.Borrow) { to.Stopped(0, b); to.Finished(0, b, steal.Result{}) }
		}),
		hearing("Panicked is not said", RulePanicked, "panic", func(e *ear, _ workers.Events) { e.panicked = func() {} }),
	}
}

func saidOfParts() []Plant {
	return []Plant{
		hearing("parts are Salvaged when their job was Stopped", RuleFirst, "parts and salvage", func(e *ear, to workers.Events) {
			var kept []peer.Part
			e.salvaged = func(parts []peer.Part) { kept = append(kept, parts...) }
			e.stopped = func(b steal.Borrow) { to.Stopped(0, b); to.Salvaged(0, kept) }
		}),
		hearing("parts are not Salvaged", RuleComplete, "parts and salvage", func(e *ear, _ workers.Events) {
			e.salvaged = func([]peer.Part) {}
		}),
		hearing("results that come late are not Salvaged", RuleComplete, "salvaged while results come", func(e *ear, _ workers.Events) {
			e.salvaged = func([]peer.Part) {}
		}),
		hearing("parts are left out", RuleComplete, "parts and salvage", func(e *ear, to workers.Events) {
			e.gathered = func([]peer.Part) { to.Gathered(0, nil) }
		}),
		hearing("parts are listed when their job has ended", RuleParts, "parts and salvage", func(e *ear, to workers.Events) {
			var kept []peer.Part
			e.gathered = func(parts []peer.Part) { kept = append(kept, parts...); to.Gathered(0, slices.Clone(kept)) }
		}),
		hearing("Gathered is said twice", RuleOnce, "parts and salvage", func(e *ear, to workers.Events) {
			e.gathered = func(parts []peer.Part) { to.Gathered(0, parts); to.Gathered(0, parts) }
		}),
		hearing("Unkept is said after the parts", RuleUnkept, "parts and salvage", func(e *ear, to workers.Events) {
			e.gathered = func(parts []peer.Part) { to.Gathered(0, parts); to.Unkept(0, 1) }
		}),
		hearing("keys are left out", RuleKeys, "keys and values", func(e *ear, to workers.Events) {
			e.unfinished = func(run peer.RunNo, _ []steal.Key) { to.Unfinished(0, run, nil) }
		}),
		hearing("the key of no job", RuleKeys, "keys and values", func(e *ear, to workers.Events) {
			e.unfinished = func(run peer.RunNo, keys []steal.Key) { to.Unfinished(0, run, append(keys, steal.Key{})) }
		}),
		hearing("the keys are said twice", RuleOnce, "keys and values", func(e *ear, to workers.Events) {
			e.unfinished = func(run peer.RunNo, keys []steal.Key) { to.Unfinished(0, run, keys); to.Unfinished(0, run, keys) }
		}),
	}
}

func saidOfBests() []Plant {
	return []Plant{
		hearing("a best is Offered twice", RuleOffered, "bests", func(e *ear, to workers.Events) {
			e.offered = func(run peer.RunNo, s steal.Stamp) { to.Offered(0, run, s); to.Offered(0, run, s) }
		}),
		hearing("a best is not Offered", RuleSaidBefore, "bests", func(e *ear, _ workers.Events) {
			e.offered = func(peer.RunNo, steal.Stamp) {}
		}),
		hearing("a worse best is Better", RuleCompared, "bests", func(e *ear, to workers.Events) {
			e.compared = func(run peer.RunNo, d steal.Key, _ peer.Merit) {
				to.Compared(0, run, d, peer.Better, steal.Result{})
			}
		}),
		hearing("Compared is said twice", RuleOnce, "bests", func(e *ear, to workers.Events) {
			e.compared = func(run peer.RunNo, d steal.Key, v peer.Merit) {
				to.Compared(0, run, d, v, steal.Result{})
				to.Compared(0, run, d, v, steal.Result{})
			}
		}),
		hearing("answers never differ", RuleDiffered, "answers differ", func(e *ear, to workers.Events) {
			e.differed = func(n steal.Nonce, _ bool) { to.Differed(0, n, false) }
		}),
		hearing("Differed is said twice", RuleOnce, "answers differ", func(e *ear, to workers.Events) {
			e.differed = func(n steal.Nonce, d bool) { to.Differed(0, n, d); to.Differed(0, n, d) }
		}),
		hearing("a fact is too long", RuleTold, "bests", func(e *ear, to workers.Events) {
			e.told = func(run peer.RunNo, _ []byte) { to.Told(0, run, make([]byte, peer.FactMax+1)) }
		}),
	}
}
