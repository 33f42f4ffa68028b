package satintest_test

import (
	"os"
	"testing"

	"satingrid/satin/await"
)

// Most tests wait: their jobs compute nothing, and losses take seconds to be noticed.
func TestMain(m *testing.M) {
	await.Together(8)
	os.Exit(m.Run())
}
