package await

import (
	"flag"
	"strconv"
)

// Together lets so many parallel tests of a package be under way at once, unless -parallel says how
// many: go test lets as many as there are cores, and tests that wait leave these idle. TestMain
// calls it, before the tests run.
func Together(tests int) {
	if !flag.Parsed() {
		flag.Parse()
	}
	given := false
	flag.Visit(func(f *flag.Flag) {
		// in fuzzing it is the number of processes
		given = given || f.Name == "test.parallel" || f.Name == "test.fuzz"
	})
	if !given {
		if err := flag.Set("test.parallel", strconv.Itoa(tests)); err != nil {
			panic("await: BUG: " + err.Error())
		}
	}
}
