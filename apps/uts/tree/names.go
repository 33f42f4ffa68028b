package tree

// Named is a tree of the benchmark that has a name.
type Named struct {
	Name   string
	Params Params
	Nodes  int64 // as published; 0 where unknown
}

// Names are the benchmark's named trees, smallest first.
var Names = []Named{
	{"T1", geometric(Fixed, 10, 4, 19), 4130071},
	{"T5", geometric(Linear, 20, 4, 34), 4147582},
	{"T2", geometric(Cyclic, 16, 6, 502), 4117769},
	{"T3", binomial(0.124875, 8, 42), 4112897},
	{"T4", Params{Kind: Hybrid, Shape: Linear, Depth: 16, Branching: 6, Prob: 0.234375, Children: 4, Seed: 1, Shift: 0.5}, 4132453},
	{"T1L", geometric(Fixed, 13, 4, 29), 102181082},
	{"T2L", geometric(Cyclic, 23, 7, 220), 96793510},
	{"T3L", binomial(0.200014, 5, 7), 111345631},
	{"T1XL", geometric(Fixed, 15, 4, 29), 1635119272},
	{"T1XXL", geometric(Fixed, 15, 4, 19), 4230646601},
	{"T3XXL", binomial(0.499995, 2, 316), 2793220501},
	{"T2XXL", binomial(0.499999995, 2, 0), 10612052303},
	{"T1WL", geometric(Fixed, 18, 4, 19), 270751679750},
	{"T2WL", binomial(0.4999999995, 2, 559), 295393891003},
	{"T3WL", binomial(0.4999995, 2, 559), 157063495159},
}

// ByName finds a tree of Names.
func ByName(name string) (Named, bool) {
	for _, n := range Names {
		if n.Name == name {
			return n, true
		}
	}
	return Named{}, false
}

func geometric(shape Shape, depth int, branching float64, seed int) Params {
	p := Default
	p.Kind, p.Shape, p.Depth, p.Branching, p.Seed = Geometric, shape, depth, branching, seed
	return p
}

// binomial has the reference's 2000 children at the root, which make the size of the
// tree less of a lottery.
func binomial(prob float64, children, seed int) Params {
	p := Default
	p.Kind, p.Branching, p.Prob, p.Children, p.Seed = Binomial, 2000, prob, children, seed
	return p
}
