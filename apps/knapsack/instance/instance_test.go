package instance

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const (
	kp      = "\n3\n5\n\n6 1\n10 2\n12 3\n"
	in      = "3\n0 6 1\n1 10 2\n2 12 3\n5\n"
	oneLine = "3 5\n6 1\n10 2\n12 3\n"
	solved  = "3 5 \n 6\t1\n10 2\n\n12 3\n0 1 1\n\n"
	fromOne = "   3\n    1     6     1\n    2    10     2\n    3    12     3\n5\n"

	csv = "knapPI_1_3\nn 3\nc 5\nz 22\ntime 0.00\n1,6,1,0\n2,10,2,1\n3,12,3,1\n-----\n\nknapPI_1_4\nn 4\n"
)

func TestFormats(t *testing.T) {
	want := []Item{{6, 1}, {10, 2}, {12, 3}}
	for _, text := range []string{kp, in, csv, oneLine, solved, fromOne, strings.ReplaceAll(kp, "\n", "\r\n"), strings.TrimSpace(in), "3\n" + solved[2:]} {
		p, err := Read(strings.NewReader(text), "f", 1)
		if err != nil {
			t.Errorf("%q: %v", text, err)
		} else if p.Capacity != 5 || !slices.Equal(p.Items, want) {
			t.Errorf("%q: %+v", text, p)
		}
	}
}

// TestBrokenFiles demands the file, the line, what is wrong and what is expected.
func TestBrokenFiles(t *testing.T) {
	for _, c := range [][2]string{
		{"", "f:1: the file ends here"},
		{"\n\n", "f:3: the file ends here"},
		{"0\n5\n", "f:1: the number of items is 0"},
		{"-3\n5\n", "f:1: the number of items is -3"},
		{"99999999999\n5\n", "f:1: the number of items is 99999999999"},
		{"99999999999999999999\n", "f:1: the number of items is \"99999999999999999999\", which is too large"},
		{"3 4\n", "f:2: the file ends here, an item's profit and weight"},
		{"3 4 5 6\n", "f:1: \"3 4 5 6\" are 4 fields, the number of items, or that and the capacity,"},
		{"3 4 5\n", "f:2: the file ends here, a profit"},
		{"3 0 5\n", "f:1: the number of constraints is 0"},
		{"3 x 5\n", "f:1: the number of constraints is \"x\""},
		{"0 1 5\n", "f:1: the number of items is 0"},
		{"2 2 0\n5 7\n1 2 3\n", "f:4: the file ends here, a weight"},
		{"2 2 0\n5 7.5\n", "f:2: a profit is \"7.5\""},
		{"2 2 0\n5 7\n1 2 3 4\n5\n", "f:5: the file ends here, a capacity"},
		{"2 2 0\n5 7\n1 2 3 -4\n5 6\n", "f:4: the problem that ends here is wrong: constraint 2: item 2: the weight is -4"},
		{"2 2 0\n5 7\n1 2 3 4\n5 6 7\n", "f:4: \"7\" stands behind the last capacity"},
		{"2 2 0\n5 7\n1 2 3 4\n5 6\n7\n", "f:5: \"7\" stands behind"},
		{"0\n2 2 0\n", "f:1: the number of items is 0"},
		{"2 5\n0 6 1\n1 10\n", "f:3: \"1 10\" are 2 fields, an item's profit and weight and count are"},
		{"2 5\n0 6 x\n", "f:2: how often it may be packed is \"x\""},
		{"2 5\n0 6 -1\n", "f:2: there are -1 copies"},
		{"2 5\n0 6 99999999\n", "f:2: there are 99999999 copies"},
		{"3 -4\n", "f:1: the capacity is -4"},
		{"3 x\n", "f:1: the capacity is \"x\""},
		{"0 4\n", "f:1: the number of items is 0"},
		{"5 2\n1 2\n3 4\n", "f:4: the file ends here, an item's profit and weight"},
		{"2 3\n1 2\n3 4\n1 1\n", "f:4: \"1 1\" stands behind the last item"},
		{"1 3\n1 2\n1\n", "f:3: \"1\" stands behind the last item"},
		{"2 5\n6 1\n10\n", "f:3: \"10\" are 1 fields"},
		{"2 5\n6.5 1\n10 2\n", "f:2: the profit is \"6.5\""},
		{"3 5\n6 1\n10 2\n12 3\n0 1 2\n", "f:5: field 3 behind the last item is \"2\""},
		{"3 5\n6 1\n10 2\n12 3\n0 1\n", "f:5: \"0 1\" stands behind the last item"},
		{"3 5\n6 1\n10 2\n12 3\n0 1 1\n0 1 1\n", "f:6: \"0 1 1\" stands behind the last item"},
		{"2\n1 6 1\n1 6 1\n5\n", "f:3: the item's number is 1, 2 is expected"},
		{"2\n2 6 1\n3 6 1\n5\n", "f:5: the file ends here, a weight"},
		{"2\n1 6 1\n2 6 1\n0 1\n", "f:4: the capacity is \"0 1\""},
		{"2\n6 1\n10 2\n5\n", "f:2: \"6 1\" are 2 fields"},
		{"3\n", "f:2: the file ends here, a capacity, or an item's number"},
		{"3\n5 6\n", "f:2: \"5 6\" are 2 fields"},
		{"3\n-5\n6 1\n", "f:2: the capacity is -5"},
		{"3\n5.5\n6 1\n", "f:2: the capacity is \"5.5\""},
		{"3\n9223372036854775807\n6 1\n", "f:2: the capacity is 9223372036854775807"},
		{"2\n5\n6 1\n", "f:4: the file ends here, an item's profit and weight is expected"},
		{"2\n5\n6 1 7\n", "f:4: the file ends here, an item's profit and weight"},
		{"2\n5\nsix 1\n", "f:3: the profit is \"six\""},
		{"2\n5\n6 one\n", "f:3: the weight is \"one\""},
		{"2\n5\n-6 1\n", "f:3: the profit is -6"},
		{"2\n5\n6 -1\n", "f:3: the weight is -1"},
		{"2\n5\n6 1\n6 1\n6 1\n", "f:5: \"6 1\" stands behind the last item"},
		{"2\n5\n4000000000000000000 1\n4000000000000000000 1\n", "f:4: with the profit 4000000000000000000 all profits"},
		{"2\n5\n1 4000000000000000000\n1 4000000000000000000\n", "f:4: with the weight 4000000000000000000 all weights"},
		{"2\n0 6 1\n2 6 1\n5\n", "f:3: the item's number is 2, 1 is expected"},
		{"2\n0 6 1\n1 6\n5\n", "f:3: \"1 6\" are 2 fields"},
		{"2\n0 6 1\n1 6 1\n", "f:4: the file ends here, the capacity is expected"},
		{"2\n0 6 1\n1 6 1\nx\n", "f:4: the capacity is \"x\""},
		{"2\n0 6 1\n1 6 1\n5\n6\n", "f:5: \"6\" stands behind"},
		{"name\n", "f:2: the file ends here, a line that begins with n is expected"},
		{"name\nm 3\n", "f:2: \"m 3\" stands here, n and a number are expected"},
		{"name\nn 1\nc 5\nz x\n", "f:4: the optimum z is \"x\""},
		{"name\nn 1\nc 5\nz 5\ntime 0\n1,2,3\n", "f:6: \"1,2,3\" are 3 fields"},
		{"name\nn 1\nc 5\nz 5\ntime 0\n0,2,3,1\n", "f:6: the item's number is 0, 1 is expected"},
		{"name\nn 1\nc 5\nz 5\ntime 0\n1,2,3,2\n", "f:6: x is \"2\", 0 or 1 is expected"},
		{"name\nn 1\nc 5\nz 5\ntime 0\n1,2,3,1\n2,2,3,1\n", "f:7: \"2,2,3,1\" stands behind the last item"},
		{"3\n" + strings.Repeat("5", lineMax+1), "f:2: the line is longer than"},
	} {
		_, err := Read(strings.NewReader(c[0]), "f", 1)
		if err == nil || !strings.HasPrefix(err.Error(), c[1]) || !strings.Contains(err.Error(), "expected") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: %v\nwant %s ... expected", c[0], err, c[1])
		}
	}
}

const (
	counted  = "3 5\n6 1 2\n10 2 9\n12 3 0\n"
	several  = "3 2 0\n6 10\n12 1 2 3 4 5 6\n5 9\n"
	severals = "2\n" + "2 1 8.5\n8 9\n3 4 4\n" + several
)

// TestCopies: a third field is how often an item may be packed.
func TestCopies(t *testing.T) {
	for _, text := range []string{counted, strings.Replace(counted, " ", "\n", 1), counted + "1 1 0\n"} {
		p, err := Read(strings.NewReader(text), "f", 1)
		if err != nil || !slices.Equal(p.Counts, []int64{2, 9, 0}) || !slices.Equal(p.Items, []Item{{6, 1}, {10, 2}, {12, 3}}) || p.Capacity != 5 {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
}

// TestSeveral: a file of the OR-Library has problems of several constraints, or one.
func TestSeveral(t *testing.T) {
	for text, nth := range map[string]int{several: 1, severals: 2, "1\n" + several: 1} {
		p, err := Read(strings.NewReader(text), "f", nth)
		if err != nil || !slices.Equal(p.Items, []Item{{6, 1}, {10, 2}, {12, 3}}) || p.Capacity != 5 ||
			len(p.Further) != 1 || !slices.Equal(p.Further[0].Weights, []int64{4, 5, 6}) || p.Further[0].Capacity != 9 {
			t.Errorf("%q: %+v, %v", text, p, err)
		}
	}
	if p, err := Read(strings.NewReader(severals), "f", 1); err != nil || len(p.Items) != 2 || p.Capacity != 4 || p.Further != nil {
		t.Errorf("the first is %+v, %v", p, err)
	}
}

// TestNth: of several problems one is asked for by its number.
func TestNth(t *testing.T) {
	twice := csv[:strings.Index(csv, "knapPI_1_4")] + strings.ReplaceAll(csv[:strings.Index(csv, "\n\n")+1], "c 5", "c 7")
	if p, err := Read(strings.NewReader(twice), "f", 2); err != nil || p.Capacity != 7 || len(p.Items) != 3 {
		t.Errorf("%+v, %v", p, err)
	}
	for text, want := range map[string]string{
		kp:       "f:7: the file ends here, problem 2 is expected in it",
		severals: "f:2: there are 2 problems, problem 3 is expected",
		several:  "f:4: the file ends here, problem 2 is expected in it",
		csv:      "f:13: the file ends here, a line that begins with c is expected",
	} {
		nth := 2
		if text == severals {
			nth = 3
		}
		if _, err := Read(strings.NewReader(text), "f", nth); err == nil || err.Error() != want {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestGenerateFurther: the same arguments make the same problem, whose capacities are so many
// percent.
func TestGenerateFurther(t *testing.T) {
	p, err := Made("several,50,5,25,7")
	if err != nil || p.Check() != nil || len(p.Items) != 50 || len(p.Further) != 4 {
		t.Fatalf("%+v, %v", p, err)
	}
	sum := int64(0)
	for _, w := range p.Further[3].Weights {
		sum += w
	}
	if p.Further[3].Capacity != sum/4 {
		t.Errorf("the capacity is %d of %d", p.Further[3].Capacity, sum)
	}
	q, _ := GenerateFurther(50, 5, 25, 7)
	if !slices.Equal(p.Items, q.Items) {
		t.Error("it was made anew, and is another")
	}
	for _, spec := range []string{"several,0,5,25,7", "several,5,0,25,7", "several,5,999,25,7", "several,5,5,101,7", "several,5,5,7", "several,5,x,5,7", "several,-5,5,5,7"} {
		if _, err := Made(spec); err == nil || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%s: %v", spec, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add(counted)
	f.Add(several)
	f.Add(severals)
	f.Add(kp)
	f.Add(in)
	f.Add(csv)
	f.Add(oneLine)
	f.Add(solved)
	f.Add(fromOne)
	f.Add("3 0\n0 0\n0 0\n0 0 0") // the last line alone has a count
	f.Fuzz(func(t *testing.T, text string) {
		p, err := Read(strings.NewReader(text), "f", 1)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "f:") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q does not say where in one line", err)
			}
			return
		}
		if err := p.Check(); err != nil || len(p.Items) == 0 {
			t.Errorf("%d items were read: %v", len(p.Items), err)
		}
		if p.Further != nil {
			return
		}
		again := fmt.Sprintf("%d\n%d\n", len(p.Items), p.Capacity)
		for _, x := range p.Items {
			again += fmt.Sprintf("%d %d\n", x.Profit, x.Weight)
		}
		q, err := Read(strings.NewReader(again), "f", 1)
		if err != nil || q.Capacity != p.Capacity || !slices.Equal(p.Items, q.Items) {
			t.Errorf("written and read again: %v", err)
		}
	})
}

func TestCheck(t *testing.T) {
	for want, p := range map[string]*Instance{
		"capacity is -1":           {Capacity: -1},
		"item 1: the weight is -1": {Items: []Item{{1, -1}}},
		"item 2: with the profit":  {Items: []Item{{TotalMax, 1}, {1, 1}}},
	} {
		if err := p.Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}

// TestClasses demands of each class what defines it.
func TestClasses(t *testing.T) {
	const r = 1000
	between := func(x, lo, hi int64) bool { return lo <= x && x <= hi }
	fits := [Classes]func(Item) bool{
		Uncorrelated:              func(x Item) bool { return between(x.Profit, 1, r) && between(x.Weight, 1, r) },
		WeaklyCorrelated:          func(x Item) bool { return between(x.Profit-x.Weight, -r/10, r/10) },
		StronglyCorrelated:        func(x Item) bool { return x.Profit-x.Weight == r/10 },
		InverseStronglyCorrelated: func(x Item) bool { return x.Weight-x.Profit == r/10 },
		AlmostStronglyCorrelated:  func(x Item) bool { return between(x.Profit-x.Weight-r/10, -r/500, r/500) },
		SubsetSum:                 func(x Item) bool { return x.Profit == x.Weight },
		SimilarWeights:            func(x Item) bool { return between(x.Profit, 1, 1000) && between(x.Weight, 100_000, 100_100) },
		MultipleStronglyCorrelated: func(x Item) bool {
			if x.Weight%6 == 0 {
				return x.Profit-x.Weight == 3*r/10
			}
			return x.Profit-x.Weight == 2*r/10
		},
		ProfitCeiling: func(x Item) bool { return x.Profit%3 == 0 && between(x.Profit-x.Weight, 0, 2) },
		Circle: func(x Item) bool {
			d := 2.0 / 3 * math.Sqrt(4*r*r-float64((x.Weight-2*r)*(x.Weight-2*r)))
			return math.Abs(float64(x.Profit)-d) <= 1
		},
	}
	for class, fit := range fits {
		p, err := Generate(class, 500, r, 7)
		if err != nil {
			t.Fatal(err)
		}
		q, _ := Generate(class, 500, r, 7)
		other, _ := Generate(class, 500, r, 8)
		if !slices.Equal(p.Items, q.Items) || slices.Equal(p.Items, other.Items) {
			t.Errorf("%s does not depend on the seed alone", p.Name)
		}
		if err := p.Check(); err != nil || len(p.Items) != 500 {
			t.Error(err)
		}
		kinds := map[Item]bool{}
		for _, x := range p.Items {
			if kinds[x] = true; fit != nil && !fit(x) {
				t.Errorf("%s has %+v", p.Name, x)
			}
		}
		if fit == nil && len(kinds) > spannerV*spannerM {
			t.Errorf("%s has %d kinds of items", p.Name, len(kinds))
		}
	}
}

func TestMade(t *testing.T) {
	p, err := Made("subsetsum,40,1000000000000,1")
	q, _ := Generate(SubsetSum, 40, 1e12, 1)
	if err != nil || !slices.Equal(p.Items, q.Items) {
		t.Error(err)
	}
	for spec, want := range map[string]string{
		"":                                       "are 1 fields",
		"1,2,3":                                  "are 3 fields",
		"x,2,30,4":                               "\"x\" in",
		"13,2,30,4":                              "a class from 0 to 12",
		"1,0,30,4":                               "1 to 16777216 items",
		"1,2,3,4":                                "weights up to 3: 10 to",
		"1,4,1" + strings.Repeat("0", 18) + ",4": "weights up to 1000000000000000000",
	} {
		if _, err := Made(spec); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "expected") {
			t.Errorf("%s: %v, want %s", spec, err, want)
		}
	}
}

// TestSharedFiles reads all files of the shared data.
func TestSharedFiles(t *testing.T) {
	folder := os.Getenv("SATIN_DATA")
	if folder == "" {
		t.Skip("SATIN_DATA is not set: the shared instances are missing")
	}
	files, _ := filepath.Glob(filepath.Join(folder, "knapsack", "*", "*"))
	if len(files) == 0 {
		t.Skip("SATIN_DATA has no knapsack instances")
	}
	for _, name := range files {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := Read(f, name, 1); err != nil {
			t.Error(err)
		}
		f.Close()
	}
}
