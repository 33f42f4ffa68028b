package cdcl

// rephaseEvery is how many conflicts pass before the first change of phases; each next one takes so
// many more.
const rephaseEvery = 1000

// phases are the values that variables are decided for.
type phases struct {
	saved []bool // by variable: its value when it was assigned last is false
	// by variable: its value on the longest trail without conflict since the last change, or 0
	target []int8
	best   []int8 // … since the last change to it

	targetSize, bestSize int
	next                 int64 // conflicts at the next change
	times                int64
}

func (p *phases) init(vars int) {
	p.saved = make([]bool, vars)
	for v := range p.saved {
		p.saved[v] = true
	}
	p.target, p.best = make([]int8, vars), make([]int8, vars)
	p.next = rephaseEvery
}

// reached is told of trails without conflict, the longest of which are worth coming back to
// (Biere and Fleury, SAT competition 2020).
func (p *phases) reached(trail []lit) {
	if len(trail) > p.targetSize {
		p.targetSize = len(trail)
		copyPhases(p.target, trail)
	}
	if len(trail) > p.bestSize {
		p.bestSize = len(trail)
		copyPhases(p.best, trail)
	}
}

func copyPhases(to []int8, trail []lit) {
	for _, l := range trail {
		to[l.vari()] = 1 - int8(l&1)<<1
	}
}

// of is the literal to decide of a variable.
func (p *phases) of(v uint32, stable bool) lit {
	l := lit(v << 1)
	no := p.saved[v]
	if t := p.target[v]; stable && t != 0 {
		no = t < 0
	}
	if no {
		l = l.not()
	}
	return l
}

// The kinds of changes: what comes first, and what comes after it again and again.
const (
	changesFirst = "oi"
	changesLater = "bobibf"
)

// change begins anew with other values.
func (p *phases) change(conflicts int64) {
	kind := changesLater[max(0, p.times-int64(len(changesFirst)))%int64(len(changesLater))]
	if p.times < int64(len(changesFirst)) {
		kind = changesFirst[p.times]
	}
	p.times++
	p.next = conflicts + rephaseEvery*p.times
	for v := range p.saved {
		switch kind {
		case 'o': // as in the beginning
			p.saved[v] = true
		case 'i': // the opposite
			p.saved[v] = false
		case 'f': // the opposite of what was
			p.saved[v] = !p.saved[v]
		case 'b': // the best
			if b := p.best[v]; b != 0 {
				p.saved[v] = b < 0
			}
		}
	}
	if kind == 'b' {
		p.bestSize = 0
	}
	clear(p.target)
	p.targetSize = 0
}
