package gridsim

import (
	"slices"
	"time"
)

// pipe is a way that all share who use it at a time, in one direction: a host's own line, a site's
// uplink, what lies between two sites.
type pipe struct {
	rate  int64 // bytes a second
	flows []*haul

	// while rates are found: in which search it was seen, what is left of the rate, and for how
	// many flows
	seen uint64
	left int64
	open int64
}

// haul is bytes on their way through all of its pipes at once.
type haul struct {
	pipes []*pipe
	bytes int64         // that are left, in parts of a billionth,
	since time.Duration // as of then
	rate  int64         // bytes a second; 0: none was found yet
	ends  time.Duration // if the rate stays
	over  func()        // the last byte is through

	seen  uint64
	fixed bool
}

// bytesOfFlow bounds a flow, so that its parts can be counted.
const bytesOfFlow = 1 << 32

// fairly are flows that share pipes fairly: no flow can have more but by another having less that
// has no more than it (max-min fairness; Bertsekas and Gallager, Data Networks, 6.5.2). It reckons
// in whole numbers, so that every machine finds the same.
type fairly struct {
	flows   []*haul // in the order of their beginnings
	touched []*pipe // pipes whose flows are not those for which the rates were found
	search  uint64

	foundPipes []*pipe // room for a search
	foundFlows []*haul
}

// begin lets so many bytes go through some pipes, and has over called when they are through.
func (f *fairly) begin(now time.Duration, pipes []*pipe, bytes int, over func()) *haul {
	x := &haul{pipes: pipes, bytes: min(int64(bytes), bytesOfFlow) * int64(time.Second), since: now, over: over}
	f.flows = append(f.flows, x)
	for _, p := range pipes {
		p.flows = append(p.flows, x)
	}
	f.touched = append(f.touched, pipes...)
	return x
}

// again has a flow that is through carry more, at the rate that it has.
func (x *haul) again(now time.Duration, bytes int, over func()) {
	x.bytes, x.since, x.over = min(int64(bytes), bytesOfFlow)*int64(time.Second), now, over
	x.ends = x.due()
}

// end takes a flow away, whether it is through or not.
func (f *fairly) end(x *haul) {
	f.flows = slices.DeleteFunc(f.flows, func(o *haul) bool { return o == x })
	for _, p := range x.pipes {
		p.flows = slices.DeleteFunc(p.flows, func(o *haul) bool { return o == x })
	}
	f.touched = append(f.touched, x.pipes...)
}

// due is when the last byte is through at the present rate.
func (x *haul) due() time.Duration {
	return x.since + time.Duration((x.bytes+x.rate-1)/x.rate)
}

// next is the flow that is through first; of several the one that began first. Nil: there is none.
func (f *fairly) next() (first *haul) {
	for _, x := range f.flows {
		if first == nil || x.ends < first.ends {
			first = x
		}
	}
	return first
}

// settle finds the rates anew where flows have begun or ended: of those that share a pipe with one
// of these, of those that share one with them, and so on. All others keep theirs.
func (f *fairly) settle(now time.Duration) {
	if len(f.touched) == 0 {
		return
	}
	f.search++
	f.foundPipes, f.foundFlows = f.foundPipes[:0], f.foundFlows[:0]
	for _, p := range f.touched {
		f.find(p)
	}
	f.touched = f.touched[:0]
	for n := 0; n < len(f.foundPipes); n++ {
		for _, x := range f.foundPipes[n].flows {
			if x.seen == f.search {
				continue
			}
			x.seen, x.fixed = f.search, false
			f.foundFlows = append(f.foundFlows, x)
			for _, p := range x.pipes {
				f.find(p)
			}
		}
	}
	f.fill(now)
}

func (f *fairly) find(p *pipe) {
	if p.seen != f.search {
		p.seen, p.left, p.open = f.search, p.rate, int64(len(p.flows))
		f.foundPipes = append(f.foundPipes, p)
	}
}

// fill gives rates to the flows that were found: again and again the pipe that has least for each
// of its flows gives them that, and other pipes have what these leave them.
func (f *fairly) fill(now time.Duration) {
	for left := len(f.foundFlows); left > 0; {
		var narrow *pipe
		share := int64(0)
		for _, p := range f.foundPipes {
			if p.open == 0 {
				continue
			}
			if s := max(p.left/p.open, 1); narrow == nil || s < share {
				narrow, share = p, s
			}
		}
		for _, x := range narrow.flows {
			if x.fixed {
				continue
			}
			x.fixed = true
			left--
			x.runs(now, share)
			for _, p := range x.pipes {
				p.left = max(p.left-share, 0)
				p.open--
			}
		}
	}
}

// runs has a flow go on at a rate.
func (x *haul) runs(now time.Duration, rate int64) {
	if x.rate == rate {
		return
	}
	if x.rate > 0 {
		x.bytes = max(x.bytes-x.rate*int64(now-x.since), 0)
	}
	x.since, x.rate = now, rate
	x.ends = x.due()
}
