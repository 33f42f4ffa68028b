// Package scenario reads what people ask of their grid, has package gridsim play it, and sums up
// what came out.
//
// A [Scenario] is a file: sites, what lies between them, a workload, what shall happen, and which
// of all that is to be varied. docs/simulating.md tells each field. [Read] reads one, and names the
// line and the field of a mistake; [Shipped] are those that come with the package.
// [Scenario.Play] simulates each variant several times, and a [Tabulation] is a table.
//
// What shall happen is said in the language of satin/program/chaos, and its engine makes it happen:
// the simulated grid is a ground like one of processes.
//
// # Traces
//
// What has happened elsewhere comes from files, which whoever calls [Read] opens ([Files]). A trace
// is a list of lines, or a recording (package recording):
//
//	seconds,what,who,count,notice
//	60.5,leave,b,2,30
//	61,kill,b/3
//	90,join,a,2x4
//	100,latency,a|b,120
//
// How that happens here:
//
//  1. All files of a scenario are one trace, sorted by time. It begins when the run is submitted.
//     At each look the conductor makes happen what is due. Whom of a site it hits is drawn, by
//     numbers that depend on the seed alone and that nothing else is drawn from.
//
//  2. What can happen to nobody, as there are too few, is left out and told. What would come after
//     the run's end is not.
//
//  3. A recording is what was seen at its looks: who was there, who was leaving, and, of those that
//     are gone, how, as far as one host told it. All of that is taken from the first look at which
//     a run was on until none was: what a grid does when its work is done is no part of the trace.
//
//  4. Where the scenario names no sites they are those of the recording, with whom was there then.
//     The run's master is the first peer of the first site, for that becomes its master here. So
//     whoever was lost there is lost here, by its number.
//
// # Series
//
// The course of a run is taken down at the first look of each interval: what the grid has done by
// then, less what it had done until the look before (gridsim.Course). So it changes nothing of the
// run, and its sums are what is told of the run as a whole. There are no more than a thousand
// intervals of a run: where there would be more, two become one.
//
// # Costs
//
// A simulation takes some five microseconds of a core for each message with 32 peers, and fifteen
// with 200; a peer says some 40 a second. The repetitions are simulated beside each other, on all
// cores.
//
// # Limitations
//
// Nothing here is calibrated: what messages cost and how long jobs take are what the scenario says.
// What is published goes from who says it to each peer that it can reach, in one hop, as gossip
// that is flooded does; what peers pass on to each other besides is not sent. Sizes are those of
// the codec: what TCP, TLS and streams add is not counted, nor is the handshake of a dial, which
// takes a round trip. A queue is where a message waits for the one before it in its stream: links
// have none, so that nothing is late because a router's buffer is full.
//
// A recording tells that a peer is gone when somebody had noticed it, at the next look: some
// seconds after it was. It has no latencies, and nothing of peers that stood still for a while.
package scenario
