// Package statistics is what a submitter knows of its run: what its peers tell, who came and who
// went, who was master, and what each loss has cost.
//
// A [Tally] hears all that, each event by a method that is named for it, and makes [Stats] of it,
// which are for people. It has no clock, goroutine or lock: whoever has it calls it from one
// goroutine, and package gridsim checks what it says against what was done.
//
// # What a loss has cost
//
// How much of a job that is done again had been done before, nobody knows exactly.
// Loss.RedoneSeconds is an estimate: what the jobs that were put back have cost, times how far they
// were when they were lost. Of that
//
//   - it is no more than what the lost peer had spent in the run, or, when the root was put back,
//     all that everybody had spent and had not lost before;
//   - SavedSeconds are taken off, and what they are more off the losses before;
//   - all losses together are what the workers spent, not to verify, and is not in the answer.
//
// Up to there it reads high where a thief told last that a job was further than it was, which an
// estimate of how far each job is may. It leaves out what a lost peer had lent to another lost one.
//
// # Limitations
//
// Results that were stored before are in the answer, and nobody tells of their work any more. What
// is told of them reads high where one is used beside what it was made of; then losses may read
// high, too. Of a run that was on before it was submitted here nobody tells what peers did that had
// gone by then. So of what losses have cost all together nothing is known, and of one such peer no
// more than how long it had worked: an estimate reads high there.
//
// Statistics lag, and those of a peer that dies are what it told last. Of more losses than
// lossesMax the earliest are forgotten.
package statistics
