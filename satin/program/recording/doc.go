// Package recording keeps what a whole grid did, and tells it afterwards.
//
// A recording is what an observer saw, look by look. Whoever reads it has the very samples
// ([observe.Sample]), so that what is shown of a grid that is there and of one that is long gone is
// made by the same code ([observe.Between]). A [Report] is all of it, summed up.
//
// # Format
//
// A recording is a gzip stream of lines, each an object of JSON. The first is the [Preamble]. Each
// after it is a look: t is when, in seconds since the beginning, and is makes the state of the grid
// from what it was, as a merge patch does (RFC 7396): what has changed stands in it, and null where
// something is gone. Before the first look the state is empty. A look that is silent comes after a
// time in which nobody answered.
//
//	{"satin":"recording","schema":1,"grid":"lab","began":"2026-11-27T13:00:00Z","every":1}
//	{"t":0,"is":{"peers":{"12D3Koo…":{"name":"a/1","workers":2,"totals":{"jobs":12}}}}}
//	{"t":1,"is":{"peers":{"12D3Koo…":{"totals":{"jobs":19}}}}}
//	{"t":2,"end":true}
//
// The loans that have ended since the look before have a line of their own before it, where
// somebody wanted them: [SingleLoans].
//
//	{"t":1,"loans":{"12D3Koo…":[{"no":7,"run":"a4136…","from":"b/1","at":12.5,"took":0.031}]}}
//
// Who has waited for a run writes after the last look how that has ended, and what each loss has
// cost it: [Finale].
//
//	{"t":2,"ended":{"run":"a4136…","app":"nqueens","input":"17","how":"interrupted","seconds":1.9}}
//
// The state has members, peers and runs, each by id; order, the ids of the runs as they are listed;
// hosts, by name; mute and missing. What these are is told with [observe.Sample]. A recording
// without an end is of a recorder that was killed: all looks but perhaps the last are in it.
//
// # Costs
//
// A peer that computes takes some 35 bytes a look where there are a hundred (TestBytesOfLook).
// A loan takes some 12 (TestBytesOfLoan); when they have taken [LoansBytes] together there are no
// more of them. Beyond [ThinAfter] bytes there are half as many looks, and again for each time as
// many.
//
// # Limitations
//
// A host tells of its last 128 loans at a time: of more that end from look to look some are missed,
// and counted.
package recording
