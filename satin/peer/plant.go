package peer

import "satingrid/membership"

// Plant is a defect that only tests put into a machine, to see that the campaign finds it. The
// empty one is none. Each says where it acts; those that concern what jobs compute are the
// workload's or the data plane's.
type Plant string

// The defects of the machine.
const (
	PlantNoLedger         Plant = "no-ledger"           // nothing that was lent comes back after a loss
	PlantNoLease          Plant = "no-lease"            // owners do not probe: a lost message is a lost job
	PlantRestolenIsRoot   Plant = "restolen-is-root"    // what an orphan came to is kept as what the root came to
	PlantAdvertsUnsent    Plant = "adverts-unsent"      // nothing is advertised, and no list is given
	PlantAdvertsUncleared Plant = "adverts-uncleared"   // entries stay when their holder is gone or their run is over
	PlantLeaveUnacked     Plant = "leave-unacked"       // a leaver goes without waiting for its heir
	PlantOldIncarnation   Plant = "old-incarnation"     // what a former life of a member says is taken as if its present one said it
	PlantRemoteOverLocal  Plant = "remote-over-local"   // an advert of a result that is held here replaces the one held here, which others still believe to be here
	PlantLookUpAtSpawn    Plant = "look-up-at-spawn"    // look-ups only when a job is put back, not by ticks
	PlantHitStopsWork     Plant = "hit-stops-work"      // a job put back with a hit waits for the value, and does not run when it fails to come
	PlantHeirDropsWill    Plant = "heir-drops-will"     // an heir acknowledges, and keeps nothing
	PlantJoinerBlind      Plant = "joiner-no-snapshot"  // a joiner is given no lists, and none by digests later
	PlantNoFence          Plant = "no-submitter-fence"  // a submitter delivers every answer that comes
	PlantBareBest         Plant = "best-bare"           // bests are pruned by and not held, and no message waits for one
	PlantBestHadOnce      Plant = "best-had-once"       // a best that was sent once counts as had
	PlantBestUncompared   Plant = "best-uncompared"     // a message is used while the best that it names is being compared
	PlantEpochReused      Plant = "epoch-reused"        // a new master reigns under the old epoch's number
	PlantWithdrawnStored  Plant = "withdrawn-is-stored" // what a withdrawn job returns is kept under its key; the data plane must say Finished for it
	PlantDecodeOnLoop     Plant = "decode-on-loop"      // the data plane's: roots are decoded on the loop, and heartbeats wait
	PlantPathIdentity     Plant = "identity-by-path"    // the workload makes keys of places in the tree
	PlantAgeless          Plant = "age-not-carried"     // who has forgotten the dead learns them anew from others, as if they had just died
	PlantUnbounded        Plant = "counter-unbounded"   // every join number, epoch and bar counter from outside is believed
	PlantClientBelieved   Plant = "client-believed"     // a client may say what a member may
	PlantForgetsAddresses Plant = "addresses-forgotten" // where those who are gone were reached is forgotten with them
	PlantDigestNowhere    Plant = "digest-nowhere"      // a digest is sent to one with whom there is no session, and nobody is dialled for that
	PlantOlderFirst       Plant = "older-run-first"     // the data plane serves the older run first
)

// plantOf is the defect of the view that goes with one of the machine.
func plantOf(d Plant) membership.Plant {
	switch d {
	case PlantAgeless:
		return membership.PlantAgeless
	case PlantUnbounded:
		return membership.PlantUnbounded
	}
	return 0
}

// planted tells whether this machine has that defect.
func (p *Peer) planted(d Plant) bool { return p.conf.Plant == d }
