package gridsim

import (
	"errors"
	"slices"
	"testing"
	"time"

	"satingrid/satin/peer"
)

// TestPlantedDefectOfHours plants a defect that shows only when something should
// have been forgotten.
func TestPlantedDefectOfHours(t *testing.T) {
	if *campaignFlag == 0 {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it")
	}
	t.Parallel()
	d := Day{Seed: 1, Lasts: 50 * time.Minute, Warm: 12 * time.Minute, Idle: true}
	if _, err := d.Run(); err != nil {
		t.Fatalf("without a defect: %v", err)
	}
	d.Plant = peer.PlantAgeless
	var found *Finding
	r, err := d.Run()
	if !errors.As(err, &found) || found.Checker != "growth" {
		t.Errorf("%s: %v, want a growth", d.Plant, err)
		t.Log(r)
		return
	}
	t.Logf("%-20s %.120v", d.Plant, err)
}

// TestPlantedDefectsOfBelief plants defects that show only when somebody lies.
func TestPlantedDefectsOfBelief(t *testing.T) {
	if *campaignFlag == 0 {
		t.Skip("-campaign is 0: .ci/steps/campaign.sh sets it")
	}
	t.Parallel()
	for _, p := range []struct {
		defect peer.Plant
		client bool
		by     []string
	}{
		{peer.PlantClientBelieved, true, []string{"siege", "answer", "once", "end"}},
		{peer.PlantUnbounded, false, []string{"siege"}},
	} {
		err := firstSiege(p.defect, p.client, p.by)
		if err == nil {
			t.Errorf("%s is not found in %d sieges by %v", p.defect, siegeBudget, p.by)
			continue
		}
		t.Logf("%-20s %.120v", p.defect, err)
	}
}

// siegeBudget is how many sieges a defect has to be found in.
const siegeBudget = 20

// firstSiege plays sieges with a defect until one of the checkers finds something that it does
// not find without it.
func firstSiege(defect peer.Plant, client bool, by []string) error {
	for seed := range uint64(siegeBudget) {
		s := Siege{Seed: seed, Client: client, Lasts: time.Minute, Plant: defect}
		_, err := s.Run()
		var found *Finding
		if !errors.As(err, &found) || !slices.Contains(by, found.Checker) {
			continue
		}
		s.Plant = ""
		if _, without := s.Run(); without == nil {
			return err
		}
	}
	return nil
}
