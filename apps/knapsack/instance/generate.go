package instance

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"
	"strings"
)

// The classes of Pisinger's generator (Where are the hard knapsack problems? Computers & Operations
// Research 32, 2005), numbered as kplib numbers them in its files' names.
const (
	Uncorrelated = iota
	WeaklyCorrelated
	StronglyCorrelated
	InverseStronglyCorrelated
	AlmostStronglyCorrelated
	SubsetSum
	SimilarWeights // uncorrelated
	SpannerUncorrelated
	SpannerWeaklyCorrelated
	SpannerStronglyCorrelated
	MultipleStronglyCorrelated
	ProfitCeiling
	Circle

	Classes = iota
)

// ClassNames are their names, as kplib writes them.
var ClassNames = [Classes]string{
	"Uncorrelated", "WeaklyCorrelated", "StronglyCorrelated", "InverseStronglyCorrelated", "AlmostStronglyCorrelated",
	"SubsetSum", "UncorrelatedWithSimilarWeights", "SpannerUncorrelated", "SpannerWeaklyCorrelated",
	"SpannerStronglyCorrelated", "MultipleStronglyCorrelated", "ProfitCeiling", "Circle",
}

const (
	rangeMin  = 10      // spanners need profits and weights of a tenth of the range
	largest   = 4       // no profit or weight is larger than so many ranges
	spannerV  = 2       // items of a spanner set
	spannerM  = 10      // the most that one of them is multiplied by
	similar   = 100_000 // the least weight of similar weights
	divisor   = 6       // of weights that get more, in MultipleStronglyCorrelated
	ceiling   = 3       // what profits are rounded up to a multiple of
	circleNum = 2       // the circle is flattened by 2/3
	circleDen = 3
)

// Generate makes n items of a class, with weights up to about r, from a seed. The capacity is half
// of the sum of the weights. The same arguments make the same problem on every machine.
func Generate(class, n int, r, seed int64) (*Instance, error) {
	if class < 0 || class >= Classes {
		return nil, fmt.Errorf("class %d: 0 to %d is expected", class, Classes-1)
	}
	if n < 1 || n > ItemsMax {
		return nil, fmt.Errorf("%d items: 1 to %d are expected", n, ItemsMax)
	}
	if most := TotalMax / int64(n) / largest; r < rangeMin || r > most {
		return nil, fmt.Errorf("weights up to %d: %d to %d is expected", r, rangeMin, most)
	}
	g := &generator{rand.New(rand.NewPCG(uint64(seed), uint64(class)<<32|uint64(n))), r, nil}
	p := &Instance{Name: fmt.Sprintf("%02d%s_n%05d_R%05d_s%03d", class, ClassNames[class], n, r, seed)}
	if base := spannerOf(class); base >= 0 {
		g.span(base)
	}
	var sum int64
	for range n {
		it := g.item(class)
		p.Items = append(p.Items, it)
		sum += it.Weight
	}
	p.Capacity = sum / 2
	return p, nil
}

// Made makes the problem that spec describes: "CLASS,N,R,SEED" are the arguments of [Generate],
// "subsetsum,N,R,SEED" is another name of its class 5, and "several,N,M,PERCENT,SEED" are the
// arguments of [GenerateFurther].
func Made(spec string) (*Instance, error) {
	const expected = "CLASS,N,R,SEED, subsetsum,N,R,SEED or several,N,M,PERCENT,SEED with whole numbers is expected"
	if rest, ok := strings.CutPrefix(spec, "several,"); ok {
		return madeFurther(rest, expected)
	}
	fields := strings.Split(spec, ",")
	if len(fields) != 4 {
		return nil, fmt.Errorf("%s are %d fields, %s", quote(spec), len(fields), expected)
	}
	if fields[0] == "subsetsum" {
		fields[0] = strconv.Itoa(SubsetSum)
	}
	v, err := wholeNumbers(fields, spec, expected)
	if err != nil {
		return nil, err
	}
	if v[0] < 0 || v[0] >= Classes || v[1] < 1 || v[1] > ItemsMax {
		return nil, fmt.Errorf("%s: a class from 0 to %d and 1 to %d items are expected", quote(spec), Classes-1, ItemsMax)
	}
	p, err := Generate(int(v[0]), int(v[1]), v[2], v[3])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", quote(spec), err)
	}
	return p, nil
}

// GenerateFurther makes n items of m constraints, as Chu and Beasley did (Journal of Heuristics 4,
// 1998): weights to 1,000, each capacity so many percent of their sum, and profits that are the
// mean of an item's weights and something to 500. The same arguments make the same problem
// everywhere.
func GenerateFurther(n, m, percent int, seed int64) (*Instance, error) {
	if n < 1 || n > ItemsMax/ConstraintsMax {
		return nil, fmt.Errorf("%d items: 1 to %d are expected", n, ItemsMax/ConstraintsMax)
	}
	if m < 1 || m > ConstraintsMax {
		return nil, fmt.Errorf("%d constraints: 1 to %d are expected", m, ConstraintsMax)
	}
	if percent < 0 || percent > 100 {
		return nil, fmt.Errorf("capacities of %d percent: 0 to 100 are expected", percent)
	}
	r := rand.New(rand.NewPCG(uint64(seed), uint64(m)<<32|uint64(n)))
	p := &Instance{Name: fmt.Sprintf("several_n%05d_m%03d_a%03d_s%03d", n, m, percent, seed), Items: make([]Item, n)}
	sums := make([]int64, n)
	for i := range m {
		weights, sum := make([]int64, n), int64(0)
		for k := range weights {
			weights[k] = 1 + r.Int64N(1000)
			sum += weights[k]
			sums[k] += weights[k]
		}
		capacity := sum * int64(percent) / 100
		if i > 0 {
			p.Further = append(p.Further, Constraint{weights, capacity})
			continue
		}
		p.Capacity = capacity
		for k, w := range weights {
			p.Items[k].Weight = w
		}
	}
	for k, sum := range sums {
		p.Items[k].Profit = sum/int64(m) + r.Int64N(501)
	}
	return p, nil
}

// madeFurther makes a problem of several constraints.
func madeFurther(spec, expected string) (*Instance, error) {
	v, err := wholeNumbers(strings.Split(spec, ","), spec, expected)
	if err != nil {
		return nil, err
	}
	if len(v) != 4 {
		return nil, fmt.Errorf("%s are %d numbers, %s", quote(spec), len(v), expected)
	}
	for _, x := range v[:3] {
		if x < 0 || x > ItemsMax {
			return nil, fmt.Errorf("%s: %d is one of its numbers, 0 to %d is expected", quote(spec), x, ItemsMax)
		}
	}
	p, err := GenerateFurther(int(v[0]), int(v[1]), int(v[2]), v[3])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", quote(spec), err)
	}
	return p, nil
}

func wholeNumbers(fields []string, spec, expected string) (v []int64, err error) {
	v = make([]int64, len(fields))
	for k, f := range fields {
		if v[k], err = strconv.ParseInt(f, 10, 64); err != nil {
			return nil, fmt.Errorf("%s in %s is no number, %s", quote(f), quote(spec), expected)
		}
	}
	return v, nil
}

// generator draws items.
type generator struct {
	*rand.Rand
	r    int64
	base []Item // of a spanner
}

// upTo draws from 1 to most.
func (g *generator) upTo(most int64) int64 { return 1 + g.Int64N(max(most, 1)) }

func spannerOf(class int) int {
	switch class {
	case SpannerUncorrelated:
		return Uncorrelated
	case SpannerWeaklyCorrelated:
		return WeaklyCorrelated
	case SpannerStronglyCorrelated:
		return StronglyCorrelated
	}
	return -1
}

// span draws the few items that all others are multiples of.
func (g *generator) span(class int) {
	for range spannerV {
		it := g.item(class)
		part := func(v int64) int64 { return (2*v + spannerM - 1) / spannerM }
		g.base = append(g.base, Item{part(it.Profit), part(it.Weight)})
	}
}

func (g *generator) item(class int) Item {
	r := g.r
	w := g.upTo(r)
	switch class {
	case Uncorrelated:
		return Item{g.upTo(r), w}
	case WeaklyCorrelated:
		return Item{max(1, w-r/10+g.Int64N(r/5+1)), w}
	case StronglyCorrelated:
		return Item{w + r/10, w}
	case InverseStronglyCorrelated:
		return Item{w, w + r/10}
	case AlmostStronglyCorrelated:
		return Item{max(1, w+r/10-r/500+g.Int64N(r/250+1)), w}
	case SubsetSum:
		return Item{w, w}
	case SimilarWeights:
		return Item{g.upTo(1000), similar + g.Int64N(101)}
	case SpannerUncorrelated, SpannerWeaklyCorrelated, SpannerStronglyCorrelated:
		of, times := g.base[g.IntN(len(g.base))], g.upTo(spannerM)
		return Item{of.Profit * times, of.Weight * times}
	case MultipleStronglyCorrelated:
		if w%divisor == 0 {
			return Item{w + 3*r/10, w}
		}
		return Item{w + 2*r/10, w}
	case ProfitCeiling:
		return Item{(w + ceiling - 1) / ceiling * ceiling, w}
	default: // Circle
		return Item{g.circle(w), w}
	}
}

// circle is the height over w of a circle that goes through 0 and has its centre above 2r.
func (g *generator) circle(w int64) int64 {
	d := float64(w - 2*g.r)
	r := float64(2 * g.r)
	// math.Sqrt is exact to the last bit everywhere; each product is rounded by itself,
	// as float64() demands.
	square := float64(r*r) - float64(d*d)
	return max(1, int64(math.Sqrt(square)*circleNum/circleDen))
}
