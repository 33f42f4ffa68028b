//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"runtime"
	"testing"

	"satingrid/satin/program"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// falseDeathsVariable is for how long nobody may be declared dead, such as 2m; without
// it that is not tried.
const falseDeathsVariable = "SATIN_FALSE_DEATHS"

// jobsBusy is how many jobs of nqueens a second show that peers were busy: one core does
// fifty times as many.
const jobsBusy = 1e6

// TestFalseDeaths lets eight peers compute that have two workers for each core, and kills
// none: nobody may be lost.
func TestFalseDeaths(t *testing.T) {
	length := campaignLength(t, falseDeathsVariable)
	// of each of eight, so that together they are at least two for each core
	workers := (2*runtime.NumCPU() + 7) / 8
	sites := fmt.Sprintf("a:4x%d,b:4x%d", workers, workers)
	got := runBinary(t, nil, "run", "nqueens", "20", "--json", "--sites", sites, "--timeout", length.String())
	var d program.Document
	if err := json.Unmarshal([]byte(got.out), &d); err != nil || got.code != console.ExitTimeout {
		t.Fatalf("exit %d, %v: %s\n%s", got.code, err, got.out, got.err)
	}
	fmt.Printf("false deaths: %d in %v with 8 peers of %s on %s, %.0f million jobs\n",
		len(d.Losses), length, wording.Count(workers, "worker"), wording.Count(runtime.NumCPU(), "core"), float64(d.Jobs.Executed)/1e6)
	if len(d.Losses) > 0 {
		t.Errorf("nobody died, and these were lost: %+v\n%s", d.Losses, got.err)
	}
	if float64(d.Jobs.Executed) < jobsBusy*length.Seconds() {
		t.Errorf("%d jobs in %v: the cores were hardly busy", d.Jobs.Executed, length)
	}
}
