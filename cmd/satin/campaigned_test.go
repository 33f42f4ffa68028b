package main

import (
	"os"
	"strconv"
	"testing"
	"time"
)

// campaignSeedVariable draws another campaign. What the machine does meanwhile is not drawn.
const campaignSeedVariable = "SATIN_CAMPAIGN_SEED"

// lossesVariable has tests run that take long, or measure: nothing is to run beside them.
const lossesVariable = "SATIN_LOSSES"

func needsChaos(t *testing.T) {
	t.Helper()
	if os.Getenv(lossesVariable) == "" {
		t.Skip(lossesVariable + " is not set; .ci/steps/chaos.sh sets it")
	}
}

// campaignLength is how long a campaign goes on, as a variable says; a test of which it
// says nothing is skipped.
func campaignLength(t *testing.T, variable string) time.Duration {
	t.Helper()
	text := os.Getenv(variable)
	if text == "" {
		t.Skip(variable + " is not set; .ci/steps/chaos.sh sets it")
	}
	length, err := time.ParseDuration(text)
	if err != nil {
		t.Fatal(err)
	}
	return length
}

// campaignSeed is what a campaign is drawn from: another each time, and told, if
// campaignSeedVariable says nothing.
func campaignSeed(t *testing.T) uint64 {
	t.Helper()
	seed := uint64(time.Now().UnixNano())
	if text := os.Getenv(campaignSeedVariable); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%s=%d", campaignSeedVariable, seed)
	return seed
}
