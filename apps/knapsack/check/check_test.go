package check

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"satingrid/apps/knapsack/instance"
)

// three is a problem whose optimum, 22, takes the second and the third item; by density the
// first would be taken.
var three = &instance.Instance{Items: []instance.Item{{Profit: 6, Weight: 1}, {Profit: 10, Weight: 2}, {Profit: 12, Weight: 3}}, Capacity: 5}

func TestMutatedAnswersAreRefused(t *testing.T) {
	right := Claim{22, 5, []int64{2, 3}, nil, true}
	if r, err := Verify(three, right); err != nil || !r.Optimal || r.Value != 22 || r.Weight != 5 {
		t.Fatalf("%+v, %v", r, err)
	}
	for want, c := range map[string]Claim{
		"the items' value is 22":  {23, 5, []int64{2, 3}, nil, true},
		"the items' weight is 5":  {22, 4, []int64{2, 3}, nil, true},
		"packed twice":            {20, 4, []int64{2, 2}, nil, true},
		"item 4 is packed":        {22, 5, []int64{2, 4}, nil, true},
		"item 0 is packed":        {22, 5, []int64{0, 3}, nil, true},
		"the items weigh 6":       {28, 6, []int64{1, 2, 3}, nil, true},
		"but 22 is reached":       {18, 4, []int64{1, 3}, nil, true},
		"22 is reached":           {0, 0, nil, nil, true},
		"the items' value is 18,": {22, 5, []int64{1, 3}, nil, true},
	} {
		if _, err := Verify(three, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, an error with %q is expected", c, err, want)
		}
	}
	if r, err := Verify(three, Claim{18, 4, []int64{1, 3}, nil, false}); err != nil || r.Optimal {
		t.Errorf("a packing that is not said to be optimal: %+v, %v", r, err)
	}
}

// TestOptimum compares the two ways of finding the optimum.
func TestOptimum(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		p := &instance.Instance{Capacity: r.Int64N(100)}
		for range r.IntN(12) {
			p.Items = append(p.Items, instance.Item{Profit: r.Int64N(40), Weight: r.Int64N(40)})
		}
		var all []int
		for k := range p.Items {
			all = append(all, k)
		}
		if a, b := sets(p, all, []int64{p.Capacity}), cells(p.Items, p.Capacity); a != b {
			t.Fatalf("%+v: %d or %d?", p, a, b)
		}
	}
}

// TestCopies: items of which there are more may be packed so often, and no more often.
func TestCopies(t *testing.T) {
	p := &instance.Instance{Items: three.Items, Counts: []int64{2, 3, 1}, Capacity: 7}
	if r, err := Verify(p, Claim{32, 6, []int64{1, 2}, []int64{2, 2}, false}); err != nil || r.Optimal {
		t.Errorf("%+v, %v", r, err)
	}
	if r, err := Verify(p, Claim{36, 7, []int64{1, 2}, []int64{1, 3}, true}); err != nil || !r.Optimal {
		t.Errorf("%+v, %v", r, err)
	}
	for want, c := range map[string]Claim{
		"item 1 is packed 3 times": {28, 5, []int64{1, 2}, []int64{3, 1}, false},
		"item 2 is packed 0 times": {6, 1, []int64{1, 2}, []int64{1, 0}, false},
		"1 items and 2 numbers":    {6, 1, []int64{1}, []int64{1, 1}, false},
		"but 36 is reached":        {32, 6, []int64{1, 2}, []int64{2, 2}, true},
	} {
		if _, err := Verify(p, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, an error with %q is expected", c, err, want)
		}
	}
}

// TestConstraints: all have to hold.
func TestConstraints(t *testing.T) {
	p := &instance.Instance{Items: three.Items, Capacity: 5, Further: []instance.Constraint{{Weights: []int64{1, 4, 4}, Capacity: 7}}}
	if _, err := Verify(p, Claim{22, 5, []int64{2, 3}, nil, true}); err == nil || !strings.Contains(err.Error(), "by constraint 2 the items weigh 8, no more than the capacity 7") {
		t.Error(err)
	}
	if r, err := Verify(p, Claim{18, 4, []int64{1, 3}, nil, true}); err != nil || !r.Optimal {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLargeProblems(t *testing.T) {
	p, err := instance.Generate(instance.SubsetSum, 100, 1e12, 1)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Optimum(p); err != ErrLarge {
		t.Error(err)
	}
	r, err := Verify(p, Claim{p.Items[0].Profit, p.Items[0].Weight, []int64{1}, nil, true})
	if err != nil || r.Optimal {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestAnswers(t *testing.T) {
	want := Claim{22, 5, []int64{2, 3}, nil, true}
	for _, text := range []string{
		"value 22\nweight 5\noptimal yes\nitems 2 3\n",
		`{"schema":1,"app":"knapsack","answer":{"value":22,"weight":5,"items":[2,3],"optimal":true}}`,
	} {
		c, err := Answer(strings.NewReader(text), "a")
		if err != nil || fmt.Sprint(c) != fmt.Sprint(want) {
			t.Errorf("%s: %+v, %v", text, c, err)
		}
	}
	c, err := Answer(strings.NewReader("value 0\nweight 0\noptimal no, the value is at most 9\nitems\n"), "a")
	if err != nil || c.Optimal || len(c.Items) > 0 {
		t.Errorf("%+v, %v", c, err)
	}
	for text, want := range map[string]string{
		"":                                 `a:1: the file ends here, a line "value" is expected`,
		"value 1\nvalue 1\n":               `a:2: a second line "value"`,
		"value 1 2\n":                      `a:1: the line begins with "value"`,
		"value x\n":                        `a:1: value says "x"`,
		"length 1\n":                       `a:1: the line begins with "length"`,
		"value 1\nweight 1\noptimal maybe": `a:3: the line begins with "optimal"`,
		"{":                                "a:1: the JSON is broken",
		`{"app":"tsp"}`:                    `a:1: app is "tsp"`,
		`{"app":"knapsack","answer":{"value":1}}`: "a:1: the answer is not whole",
	} {
		if _, err := Answer(strings.NewReader(text), "a"); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add("value 22\nweight 5\noptimal yes\nitems 2 3\n")
	f.Add(`{"app":"knapsack","answer":{"value":22,"weight":5,"items":[2,3],"optimal":true}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := Answer(strings.NewReader(text), "a")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a:") {
				t.Errorf("%q does not say where", err)
			}
			return
		}
		if r, err := Verify(three, c); err == nil && (r.Value != c.Value || r.Optimal != (r.Value == 22) || slices.Max(append(c.Items, 0)) > 3) {
			t.Errorf("%+v is accepted as %+v", c, r)
		}
	})
}
