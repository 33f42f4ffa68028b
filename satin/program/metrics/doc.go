// Package metrics says what a node does in the form that Prometheus and others read.
//
// An [Exporter] answers at an address: GET /metrics with the metrics, GET /healthz with 200 while
// the loop of the node turns, and GET /readyz with 200 while it is in its grid and stays, else
// with 503 and the reason. Nothing can be told a node this way, and nothing is answered that is
// secret; who may ask is up to the address, and to who can reach it.
//
// All names begin with satin_; those of the process and of Go stand beside them. The file
// docs/grafana.json is a dashboard, and a test holds it to the names.
//
// # Costs
//
// A node without --metrics has no goroutine, no socket and no metric more. With it a question costs
// the loop some microseconds, and the process about a millisecond.
//
// # Limitations
//
// What is told is what this one node sees: where several are asked, sum what is counted, such as
// satin_jobs_total, and take the largest of what all see, such as satin_members. A run's progress
// has its id as a label, so that each run is a series of its own, of up to 64 at a time.
package metrics
