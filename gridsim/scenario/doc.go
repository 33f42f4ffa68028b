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
package scenario
