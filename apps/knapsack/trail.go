package knapsack

// state is a sum of profits and weights, and the end of the choice that has it.
type state struct {
	w, p int64
	bits uint32 // which of the steps since the last page changed it, the newest lowest
	from uint32 // the state it comes from, on the last page
}

// blockBits is how many steps state.bits holds.
const blockBits = 32

// page is what is kept of the states once blockBits steps were done: enough to tell
// a choice afterwards.
type page []struct{ bits, from uint32 }

// trail tells what states were chosen by. Kept for each state alone this would be most of the
// memory.
type trail struct {
	steps int
	pages []page
}

func (t *trail) reset() { t.steps, t.pages = 0, t.pages[:0] }

// done ends a step: states are all that are left.
func (t *trail) done(states []state) {
	t.steps++
	if t.steps%blockBits != 0 {
		return
	}
	pg := make(page, len(states))
	for k := range states {
		x := &states[k]
		pg[k].bits, pg[k].from = x.bits, x.from
		x.bits, x.from = 0, uint32(k)
	}
	t.pages = append(t.pages, pg)
}

// last is how a state was chosen of the list that done was given last, for changes: where a page
// has just been made, that has it.
func (t *trail) last(x state) (bits, from uint32) {
	if t.steps == 0 || t.steps%blockBits != 0 {
		return x.bits, x.from
	}
	of := t.pages[len(t.pages)-1][x.from]
	return of.bits, of.from
}

// changes calls yield with each step that changed a state. It was there when so many steps had been
// decided, and no page was yet made of the last of them.
func (t *trail) changes(bits, from uint32, steps int, yield func(step int)) {
	for pg := (max(steps, 1) - 1) / blockBits; ; pg-- {
		for k := steps - 1; k >= pg*blockBits; k-- {
			if bits&1 == 1 {
				yield(k)
			}
			bits >>= 1
		}
		if pg == 0 {
			return
		}
		steps = pg * blockBits
		bits, from = t.pages[pg-1][from].bits, t.pages[pg-1][from].from
	}
}
