package wording

import (
	"fmt"
	"strconv"
	"strings"
)

// sizeUnits are units of memory.
var sizeUnits = []struct {
	name  string
	bytes float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"B", 1}}

// ParseSize reads a number of bytes such as 64MiB.
func ParseSize(text string) (int, error) {
	for _, u := range sizeUnits {
		number, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		n, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if err != nil || !(n >= 0 && n*u.bytes <= 1<<53) {
			break
		}
		return int(n * u.bytes), nil
	}
	return 0, fmt.Errorf("%q is no size", text)
}
