package check_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"satingrid/apps/tsp"
	"satingrid/apps/tsp/check"
	"satingrid/apps/tsp/tsplib"
	"satingrid/satin"
	"satingrid/satin/effort"
)

// random is a problem with ties, whose root is seldom closed at once.
func random(rng *rand.Rand, n int) *tsplib.Problem {
	p := &tsplib.Problem{Name: "random", Cities: n, Metric: tsplib.Explicit, Layout: tsplib.LowerRow}
	for range n * (n - 1) / 2 {
		p.Numbers = append(p.Numbers, 1+rng.IntN(6))
	}
	return p
}

// inputs are such a problem, plain, with fixed edges, and with ways back of their own.
func inputs(rng *rand.Rand, n int) []*tsplib.Problem {
	fixed := random(rng, n)
	tour := rng.Perm(n)
	for _, k := range rng.Perm(n)[:1+rng.IntN(n-3)] {
		fixed.Fixed = append(fixed.Fixed, [2]int{tour[k], tour[(k+1)%n]})
	}
	ways := &tsplib.Problem{Name: "ways", Cities: n, Metric: tsplib.Explicit, Layout: tsplib.FullMatrix, Directed: true}
	for range n * n {
		ways.Numbers = append(ways.Numbers, 1+rng.IntN(6))
	}
	return []*tsplib.Problem{random(rng, n), fixed, ways}
}

// certificate solves the problem and returns the certificate, not yet compressed, and the length.
func certificate(t testing.TB, p *tsplib.Problem) (plain []byte, length int64) {
	t.Helper()
	d, err := tsp.DistancesOf(p)
	if err != nil {
		t.Fatal(err)
	}
	tour, err := satin.Run(context.Background(), nil, tsp.Solve{Distances: d, Fixed: p.Fixed, Certify: true})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := tsp.WriteCertificate(&b, tour); err != nil {
		t.Fatal(err)
	}
	z, err := gzip.NewReader(&b)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err = io.ReadAll(z); err != nil {
		t.Fatal(err)
	}
	return plain, tour.Length
}

func verify(p *tsplib.Problem, plain []byte) (check.Report, error) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	z.Write(plain)
	z.Close()
	return check.Certificate(p, &b, "proof")
}

const header = "satin tsp certificate 1\n"

// claiming is the certificate with another length.
func claiming(p *tsplib.Problem, plain []byte, length int64) []byte {
	rest := plain[len(header):]
	_, a := binary.Uvarint(rest)
	_, b := binary.Uvarint(rest[a:])
	out := append([]byte(header), rest[:a]...)
	return append(binary.AppendUvarint(out, uint64(length)), rest[a+b:]...)
}

// TestSound damages certificates and has them claim too much: none may prove more than the optimum.
func TestSound(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	refused := 0
	var problems []*tsplib.Problem
	rounds := effort.Of(3, 7, 20)
	for range rounds {
		problems = append(problems, inputs(rng, 6+rng.IntN(8))...)
	}
	for _, p := range problems {
		plain, length := certificate(t, p)
		if r, err := verify(p, plain); err != nil || r.Length != length || r.Leaves == 0 {
			t.Fatalf("%+v, %v", r, err)
		}
		if r, err := verify(p, claiming(p, plain, length+1)); err == nil {
			t.Fatalf("%v: the optimum is %d, proved is %d", p.Numbers, length, r.Length)
		}
		for range 30 {
			broken := bytes.Clone(plain)
			for range 1 + rng.IntN(3) {
				broken[len(header)+rng.IntN(len(plain)-len(header))] = byte(rng.IntN(256))
			}
			if r, err := verify(p, broken); err == nil && r.Length > length {
				t.Fatalf("%v: the optimum is %d, proved is %d", p.Numbers, length, r.Length)
			} else if err != nil {
				refused++
			}
		}
		if _, err := verify(p, plain[:len(plain)-1]); err == nil {
			t.Fatal("a certificate without its end is accepted")
		}
		if _, err := verify(p, append(plain, 4)); err == nil {
			t.Fatal("a certificate with more after its end is accepted")
		}
	}
	if refused < 15*rounds {
		t.Errorf("only %d damaged certificates were refused", refused)
	}
}

// TestForeign refuses what is no certificate of the problem.
func TestForeign(t *testing.T) {
	p := random(rand.New(rand.NewPCG(3, 4)), 8)
	plain, _ := certificate(t, p)
	other := random(rand.New(rand.NewPCG(3, 4)), 9)
	if _, err := verify(other, plain); err == nil || !strings.Contains(err.Error(), "proof: record 0: the certificate is for 8 cities, 9 are expected") {
		t.Error(err)
	}
	if _, err := verify(p, []byte("hello, I am a proof; believe me")); err == nil || !strings.Contains(err.Error(), "is expected") {
		t.Error(err)
	}
	if _, err := check.Certificate(p, strings.NewReader("NAME : a"), "proof"); err == nil || !strings.Contains(err.Error(), "this is no gzip file") {
		t.Error(err)
	}
}

// TestLength refuses what is no tour.
func TestLength(t *testing.T) {
	p := random(rand.New(rand.NewPCG(5, 6)), 4)
	for _, c := range []struct {
		tour []int
		want string
	}{
		{[]int{0, 1, 2}, "visits 3 of 4 cities"},
		{[]int{0, 1, 2, 2}, "visits city 3 twice"},
		{[]int{0, 1, 2, 4}, "visits city 5; the problem has cities 1 to 4"},
		{[]int{0, 1, 2, -1}, "visits city 0"},
	} {
		if _, err := check.Length(p, c.tour); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v: %v, want %s", c.tour, err, c.want)
		}
	}
}

func ExampleLength() {
	square := &tsplib.Problem{Cities: 4, Metric: tsplib.Man2D, Points: []tsplib.Point{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}}
	fmt.Println(check.Length(square, []int{0, 1, 2, 3}))
	fmt.Println(check.Length(square, []int{0, 1, 2}))
	// Output:
	// 4 <nil>
	// 0 the tour visits 3 of 4 cities
}

// FuzzCertificate has arbitrary records prove no more than the optimum.
func FuzzCertificate(f *testing.F) {
	problems := inputs(rand.New(rand.NewPCG(7, 8)), 8)
	var lengths []int64
	for k, p := range problems {
		plain, length := certificate(f, p)
		f.Add(byte(k), plain[len(header):])
		lengths = append(lengths, length)
	}
	f.Fuzz(func(t *testing.T, which byte, records []byte) {
		k := int(which) % len(problems)
		r, err := verify(problems[k], append([]byte(header), records...))
		if err == nil && r.Length > lengths[k] {
			t.Fatalf("the optimum is %d, proved is %d", lengths[k], r.Length)
		}
	})
}

// TestFixedEdgesAreLookedFor refuses tours that leave one out.
func TestFixedEdgesAreLookedFor(t *testing.T) {
	p := random(rand.New(rand.NewPCG(9, 10)), 5)
	p.Fixed = [][2]int{{0, 3}, {4, 3}}
	for want, tours := range map[string][][]int{
		"":                                    {{0, 3, 4, 1, 2}, {3, 0, 1, 2, 4}, {2, 4, 3, 0, 1}, {3, 4, 1, 2, 0}},
		"the tour has not the fixed edge 1-4": {{0, 1, 2, 3, 4}, {3, 4, 0, 1, 2}},
		"the tour has not the fixed edge 5-4": {{0, 3, 1, 4, 2}, {3, 0, 4, 1, 2}},
	} {
		for _, tour := range tours {
			if _, err := check.Length(p, tour); err == nil != (want == "") || err != nil && err.Error() != want {
				t.Errorf("%v: %v, want %q", tour, err, want)
			}
		}
	}
}

// TestWaysBack: a tour of an ATSP is measured as it goes.
func TestWaysBack(t *testing.T) {
	p := &tsplib.Problem{Cities: 3, Metric: tsplib.Explicit, Layout: tsplib.FullMatrix, Numbers: []int{0, 1, 20, 20, 0, 1, 1, 20, 0}, Directed: true}
	there, err1 := check.Length(p, []int{0, 1, 2})
	back, err2 := check.Length(p, []int{0, 2, 1})
	if there != 3 || back != 60 || err1 != nil || err2 != nil {
		t.Errorf("%d and %d, %v, %v", there, back, err1, err2)
	}
}
