package scenario

import (
	"time"

	"satingrid/apps/uts/tree"
	"satingrid/gridsim"
)

// readWork reads what is to be computed, and how much that is.
func (g *setting) readWork(f, top *fields) {
	kinds := []string{"tree", "uts", "search"}
	var given []string
	for _, k := range kinds {
		if f.has(k) {
			given = append(given, k)
		}
	}
	if len(given) != 1 {
		at := f.node
		if at == nil {
			at = top.node
		}
		top.wrong(at, "workload", "one of tree, uts and search is expected")
		return
	}
	w := f.below(given[0])
	switch given[0] {
	case "tree":
		t := readTree(w)
		t.Regular = w.one("shape", "regular", "random") == "regular"
		g.work = t
	case "search":
		g.work, g.prunes = &gridsim.Search{Tree: *readTree(w)}, true
	default:
		g.work = readUTS(w)
	}
	w.done()
	job, value := f.size("job", 1<<20), f.size("result", 1<<20)
	f.done()
	if job+value > 0 && g.prunes {
		f.wrong(f.node, "", "the jobs and results of a search are as long as they are")
	}
	if *f.first != nil {
		return
	}
	g.jobs, g.alone, g.span = gridsim.Measure(g.work, jobsMax)
	switch {
	case g.jobs > jobsMax:
		f.wrong(w.node, given[0], "more than %d jobs", jobsMax)
	case g.alone > timeMax:
		f.wrong(w.node, given[0], "one worker would take %v: %v is the most", g.alone.Round(time.Second), timeMax)
	case (job+value)*g.jobs > bytesMax:
		f.wrong(f.node, "", "jobs and results have %d B in all: %d is the most", (job+value)*g.jobs, bytesMax)
	}
	if job+value > 0 {
		g.work = &gridsim.Sized{Workload: g.work, JobBytes: job, ValueBytes: value}
	}
}

func readTree(f *fields) *gridsim.Tree {
	return &gridsim.Tree{
		Seed:  uint64(f.whole("seed", 1, 0, 1<<31)),
		Depth: f.whole("depth", 6, 1, 1000), Width: f.whole("width", 4, 1, 1000),
		Leaf: f.time("leaf", 10*time.Millisecond, time.Microsecond),
	}
}

// aloneDefault is from which depth on a job counts the rest by itself. A thin tree may be twenty
// times as deep.
const (
	aloneDefault = 1000
	aloneMost    = 100_000
)

func readUTS(f *fields) gridsim.Workload {
	p := tree.Default
	if name := f.text("name", ""); name != "" {
		named, ok := tree.ByName(name)
		if !ok {
			f.wrong(f.get("name"), "name", "the benchmark has no tree %q; T1 and T3 it has", name)
			return nil
		}
		p = named.Params
	}
	p.Seed = f.whole("seed", p.Seed, 0, 1<<31-1)
	p.Depth = f.whole("depth", p.Depth, 1, 1000)
	p.Branching = f.number("branching", p.Branching, 1, 10_000)
	if f.has("prob") {
		p.Kind = tree.Binomial
	}
	p.Prob = f.number("prob", p.Prob, 0, 1)
	p.Children = f.whole("children", p.Children, 0, tree.ChildrenMax)
	node := f.time("node", time.Millisecond, time.Microsecond)
	alone := f.whole("alone", aloneDefault, 1, aloneMost)
	if *f.first != nil {
		return nil
	}
	if err := p.Check(); err != nil {
		f.wrong(f.node, "", "%v", err)
		return nil
	}
	g := tree.New(p)
	if s := g.Root(); nodesOf(g, &s, 0, 0) > nodesMax {
		f.wrong(f.node, "", "the tree has more than %d nodes", nodesMax)
		return nil
	}
	return gridsim.NewUTS(p, node, alone)
}

// nodesMax bounds a tree of which a job counts most by itself.
const nodesMax = 5_000_000

// nodesOf adds the nodes of a tree to those that were counted, and stops where they are too many.
func nodesOf(g *tree.Generator, s *tree.State, depth, nodes int) int {
	n := g.Children(s, depth)
	family := s.Family()
	for i := 0; i < n && nodes <= nodesMax; i++ {
		kid := family.Child(i)
		nodes = nodesOf(g, &kid, depth+1, nodes)
	}
	return nodes + 1
}
