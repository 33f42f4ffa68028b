package cdcl

// classes are literals that binary clauses make equal: the strongly connected components of their
// implications (Tarjan, SIAM J. Comput. 1, 1972; Aspvall, Plass and Tarjan, IPL 8, 1979).
type classes struct {
	of    []lit    // by literal: the one that stands for its class
	index []uint32 // by literal: when it was met, 0 before
	low   []uint32 // … the earliest one met that it leads to; closed when its class is known
	time  uint32
	path  []lit
	calls []call
	found bool // a class has two literals at least
	wrong bool // … or one and its negation
}

// call is a literal whose implications are being looked at.
type call struct {
	l    lit
	next int // of its watches
}

const closed = 1<<32 - 1

func (c *classes) find(watches [][]watch, values []int8) {
	n := len(watches)
	c.time, c.found, c.wrong = 0, false, false
	c.index = append(c.index[:0], make([]uint32, n)...)
	c.low = append(c.low[:0], make([]uint32, n)...)
	c.of = c.of[:0]
	for l := range n {
		c.of = append(c.of, lit(l))
	}
	for l := range n {
		if c.index[l] == 0 && values[l] == 0 {
			c.from(lit(l), watches, values)
		}
	}
}

// from finds the classes of all literals that one leads to.
func (c *classes) from(root lit, watches [][]watch, values []int8) {
	c.meet(root)
	for len(c.calls) > 0 {
		top := &c.calls[len(c.calls)-1]
		l := top.l
		if ws := watches[l]; top.next < len(ws) {
			w := ws[top.next]
			top.next++
			if w.ref&binary == 0 || values[w.blocker] != 0 {
				continue
			}
			if m := w.blocker; c.index[m] == 0 {
				c.meet(m)
			} else if c.low[m] != closed {
				c.low[l] = min(c.low[l], c.low[m])
			}
			continue
		}
		c.calls = c.calls[:len(c.calls)-1]
		if c.low[l] == c.index[l] {
			c.close(l)
		}
		if n := len(c.calls); n > 0 && c.low[l] != closed {
			up := c.calls[n-1].l
			c.low[up] = min(c.low[up], c.low[l])
		}
	}
}

func (c *classes) meet(l lit) {
	c.time++
	c.index[l], c.low[l] = c.time, c.time
	c.path = append(c.path, l)
	c.calls = append(c.calls, call{l: l})
}

// close has the lowest of a class's variables stand for it, so that the class of the negations has
// the negation.
func (c *classes) close(l lit) {
	start := len(c.path) - 1
	for c.path[start] != l {
		start--
	}
	members := c.path[start:]
	first := l
	for _, m := range members {
		if m.vari() < first.vari() {
			first = m
		}
	}
	for _, m := range members {
		c.of[m], c.low[m] = first, closed
		c.found = c.found || m != first
		c.wrong = c.wrong || m == first.not()
	}
	c.path = c.path[:start]
}
