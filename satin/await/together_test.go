package await

import (
	"flag"
	"os"
	"strconv"
	"sync"
	"testing"
)

// together is more than most machines have cores that nobody uses.
const together = 33

func TestMain(m *testing.M) {
	Together(together)
	os.Exit(m.Run())
}

// TestTogether: so many parallel tests wait for each other, where nobody has said how many may.
func TestTogether(t *testing.T) {
	if given := flag.Lookup("test.parallel").Value.String(); given != strconv.Itoa(together) {
		t.Skipf("-parallel %s is given", given)
	}
	var all sync.WaitGroup
	all.Add(together)
	for range together {
		t.Run("waits", func(t *testing.T) {
			t.Parallel()
			all.Done()
			all.Wait()
		})
	}
}

// TestTogetherHeedsWhatIsSaid: who runs the tests has the last word.
func TestTogetherHeedsWhatIsSaid(t *testing.T) {
	before := flag.Lookup("test.parallel").Value.String()
	Together(2)
	if now := flag.Lookup("test.parallel").Value.String(); now != before {
		t.Errorf("it was %s, and is %s", before, now)
	}
}
