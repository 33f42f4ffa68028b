package check_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"satingrid/apps/tsp/check"
	"satingrid/apps/tsp/tsplib"
)

// square is four cities whose shortest tour has the length 4.
var square = &tsplib.Problem{Cities: 4, Metric: tsplib.Man2D, Points: []tsplib.Point{{X: 0, Y: 0}, {X: 1, Y: 0}, {X: 1, Y: 1}, {X: 0, Y: 1}}}

const printed = "NAME : square\nCOMMENT : length 4, which is optimal (1 nodes)\nTYPE : TOUR\nDIMENSION : 4\nTOUR_SECTION\n1\n2\n3\n4\n-1\nEOF\n"

func TestAnswer(t *testing.T) {
	for text, want := range map[string]check.Claim{
		printed: {[]int{0, 1, 2, 3}, 4, 4, true},
		strings.Replace(printed, ", which is", "; no tour is shorter than 3, a gap", 1):                       {[]int{0, 1, 2, 3}, 4, 3, false},
		"TYPE: TOUR\nTOUR_SECTION:\n1 3 2 4 -1\n":                                                             {[]int{0, 2, 1, 3}, check.Unsaid, check.Unsaid, false},
		`{"schema":1,"app":"tsp","answer":{"length":4,"tour":[1,2,3,4],"optimal":true,"bound":4,"work":{}}} `: {[]int{0, 1, 2, 3}, 4, 4, true},
	} {
		c, err := check.Answer(strings.NewReader(text), "a", tsplib.FromOne)
		if err != nil || !slices.Equal(c.Tour, want.Tour) || fmt.Sprint(c) != fmt.Sprint(want) {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
	for text, want := range map[string]string{
		"":                                "a:1: the file ends without a TOUR_SECTION",
		"hello\n":                         `a:1: "hello", an entry`,
		"TOUR_SECTION\n1\nx\n":            `a:3: "x", a city is expected`,
		"TOUR_SECTION\n1\n-1\n2\n":        `a:4: "2", a city is expected`,
		"{":                               "a:1: the JSON is broken",
		`{"app":"sat"}`:                   `a:1: app is "sat"`,
		`{"app":"tsp","answer":null}`:     "a:1: the answer is not whole",
		"COMMENT: length 9" + nines + opt: `a:1: "COMMENT: length 999999999999999999999, which is optimal", lengths`,
	} {
		if _, err := check.Answer(strings.NewReader(text), "a", tsplib.FromOne); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

const (
	nines = "99999999999999999999"
	opt   = ", which is optimal"
)

// TestMutatedAnswersAreRefused spoils a right answer in all places.
func TestMutatedAnswersAreRefused(t *testing.T) {
	if length, err := check.Verify(square, check.Claim{Tour: []int{0, 1, 2, 3}, Length: 4, Bound: 4, Optimal: true}); err != nil || length != 4 {
		t.Fatal(length, err)
	}
	for want, c := range map[string]check.Claim{
		"length is 4, the answer says 5": {[]int{0, 1, 2, 3}, 5, 4, true},
		"length is 6, the answer says 4": {[]int{0, 2, 1, 3}, 4, 4, true},
		"no tour is shorter than 5, but": {[]int{0, 1, 2, 3}, 4, 5, true},
		"length 4, bound 3":              {[]int{0, 1, 2, 3}, 4, 3, true},
		"length 4, bound 4":              {[]int{0, 1, 2, 3}, 4, 4, false},
		"visits city 3 twice":            {[]int{0, 1, 2, 2}, 4, 4, true},
		"visits 3 of 4 cities":           {[]int{0, 1, 2}, 4, 4, true},
		"visits city 0; the problem has": {[]int{-1, 1, 2, 3}, 4, 4, true},
	} {
		if _, err := check.Verify(square, c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%+v: %v, want %s", c, err, want)
		}
	}
}

// TestBroken tells files that are no certificates from certificates that do not prove.
func TestBroken(t *testing.T) {
	var broken check.Broken
	if _, err := check.Certificate(square, bytes.NewReader([]byte(printed)), "a"); !errors.As(err, &broken) {
		t.Error(err)
	}
	if _, err := verify(square, []byte("hello")); !errors.As(err, &broken) {
		t.Error(err)
	}
	if _, err := verify(square, []byte(header+"\x04\x04")); err == nil || errors.As(err, &broken) {
		t.Error(err)
	}
}

func FuzzAnswer(f *testing.F) {
	f.Add(printed)
	f.Add(`{"app":"tsp","answer":{"length":4,"tour":[1,2,3,4],"optimal":true,"bound":4}}`)
	f.Fuzz(func(t *testing.T, text string) {
		c, err := check.Answer(strings.NewReader(text), "a", tsplib.FromOne)
		if err != nil {
			if !strings.HasPrefix(err.Error(), "a:") {
				t.Errorf("%q does not say where", err)
			}
			return
		}
		if length, err := check.Verify(square, c); err == nil && (length < 4 || len(c.Tour) != 4) {
			t.Errorf("%+v is accepted with length %d", c, length)
		}
	})
}

func ExampleAnswer() {
	c, err := check.Answer(strings.NewReader(printed), "square.tour", tsplib.FromOne)
	fmt.Println(c.Tour, c.Length, c.Optimal, err)
	// Output: [0 1 2 3] 4 true <nil>
}

func ExampleVerify() {
	fmt.Println(check.Verify(square, check.Claim{Tour: []int{0, 1, 2, 3}, Length: 4, Bound: 4, Optimal: true}))
	fmt.Println(check.Verify(square, check.Claim{Tour: []int{0, 2, 1, 3}, Length: 4, Bound: 4, Optimal: true}))
	// Output:
	// 4 <nil>
	// 0 the tour's length is 6, the answer says 4
}
