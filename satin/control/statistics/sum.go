package statistics

import (
	"math"
	"time"
)

// What others count may be any number that is not below nothing. So that no sum of such numbers
// falls below nothing, one that would be too great for a number is the greatest.

// sum is what two counts come to.
func sum[N ~int64](a, b N) N {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}

// ofSeconds is so many seconds.
func ofSeconds(s float64) time.Duration {
	if all := s * float64(time.Second); all < math.MaxInt64 {
		return time.Duration(all)
	}
	return math.MaxInt64
}
