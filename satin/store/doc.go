// Package store is what a node keeps on disk of runs, so that they outlive all processes.
//
// A [Store] is a folder that one process has open. Of each run it keeps, as bytes that mean nothing
// to it: the root; a record, which is whatever whoever runs the run has to know of it; the best so
// far; and results of jobs. A [Batch] says what of a run is new or gone, and [Store.Write] has it
// on the disk when it returns, whole. After a loss [Store.Runs] tells which runs there are, and
// [Store.Recall] what is kept of one.
//
// A run is named by its key and the build of the program that wrote it, so that it does not matter
// who asks for it, when, and on which host: a folder may be copied to another. What another build
// wrote is kept and listed until it expires, and never returned. What another version of this
// package wrote is kept, too, and not even listed.
//
// # What is certain
//
//   - What Write returned without an error for is there after a kill or a loss of power, as long
//     as the disk does what it says; what it had not returned for is there whole or not at all.
//   - What is returned is what was written: all of a file is under SHA-256 cut to 16 bytes, which
//     is compared when it is read. What is wrong is dropped and counted.
//   - A result that names the best of its maker is returned only together with that best or one
//     that was written later, which its writer vouches to be better. Where the best goes they go.
//   - No file, whatever is in it, has the process panic or hang, or take memory beyond some twenty
//     times its length.
//
// # Files
//
// Each run has a file, NAME.run, which is named after its key and build. It is a preface and,
// after that, batches: a header, heads that tell all of a value but its bytes, and the values. The
// last word on anything counts. A batch knows its place and the file's salt, so that none is taken
// for a later one that it is not, and nothing in a value for a batch.
//
// What is small takes little beside itself, as most results of most runs are. A value of up to 64
// bytes stands in its head. Preface, header and heads have one digest, and each longer value its
// own. A deletion is a key. Of results that were found under one best that is told once: they stand
// together in a batch, and in a file that is written anew.
//
// A batch that is the last one and not whole was being written when its process died: it is cut
// off. Anything else that is wrong is damage. A damaged file is written anew with what is right in
// it, [Options].Warn is told once, and the damaged one stays beside it until the next, as
// damaged.bad. A file of which nothing is right, or that is no run's, is only that. Beside the runs
// there is lock, by which a second process is refused with [ErrBusy]: flock, or on Windows a file
// that nobody else can open. [Look] lists what is there all the same.
//
// A file that has become twice as long is looked through, and written anew when a quarter of it is
// no longer said.
//
// # What goes, and when
//
// A run is kept for a time after the last that was written to it: [Lifetime].Keep, or
// [KeepDefault]. One that is [Lifetime].Held does not expire before its process ends: it goes on,
// however long nothing was written.
// Time is wall-clock time, but stands still while the clock says less than it once did, in this
// process or in what is in the folder. So a clock that is set back has nothing expire early. And it
// revives nothing, since what has expired is deleted before anybody is told so.
//
// The quota counts what all files take, in blocks of 4 KiB. When a batch needs room there go, one
// after the other until there is: the damaged file; those of another version; runs that have ended,
// that first to which nothing was written for longest; what files say no longer, and the cheapest
// results of all runs, whichever build's, and then an eighth of the quota more; bests, with all
// results that name one. Results that are about to be written go like those that are there: a batch
// of more than the quota has room for leaves the dearest of them. At last go roots and records of
// other builds' runs. Those of this build that have not ended stay, and then Write fails with
// [ErrFull].
//
// # Costs
//
// A result takes its bytes and 20 to 24, 16 to 20 more if they are longer than 64, and 20 if it was
// found under another best than the one before it. A deletion of one takes 17, a batch 73.
//
// Write takes a sync of the disk, two and a rename for the first batch of a run, and no time that
// grows with the file, but for making room and tidying: each reads a file's heads, and may copy
// what is in it. Open reads all heads, Runs reads no file; Recall and List read the heads of a
// file, and then the values that they return. While a file's heads are read each of its results
// takes some 200 bytes of memory, and its own if it is short; otherwise a run takes 300.
//
// The benchmarks tell what that is on a machine: go test -bench . ./satin/store.
//
// # Why no library
//
// go.etcd.io/bbolt v1.4.3 was tried, with a bucket of results by key. It is made for other work:
//
//   - It maps the file and believes it. Who reads one with a page that names itself as its child
//     goes round for good and takes all memory: neither recover nor a deadline helps. Of 300
//     flipped bits in the first bytes of pages 23 were a panic, and 12 a wrong value.
//   - Keys are digests, so each result lands on a page of its own. 100 results of 1 KiB took 8 to
//     19 ms, and 1 to 6 here, in turn on a busy machine; the file was 2.5 times as long as the
//     values, here 1.04.
//   - The file never shrinks: to free room it is copied whole, and locked as long.
//
// What is needed here is to append, to read all of one run, and to forget one: that is a file. No
// library writes files of checked records of which several kinds replace each other.
//
// # Limitations
//
//   - A bit that is wrong among the heads of a batch is the loss of all that these tell, short
//     values too: of what one Write said, or of up to 1024 values that were written anew together.
//   - Batches of two runs are two: one of them may be there without the other.
//   - All calls wait for each other, also for a long Recall.
//   - What is cut off at a batch's end looks like a batch that was never finished: it is not told
//     as damage, only counted in [Counts].Torn. What was said before it is what counts then, an
//     older record for one.
//   - A clock that was once far ahead stays the measure: what was written before has expired, and
//     what is written until the clock is there again does not.
//   - While a file is written anew both are there: the disk needs room for the longest file beside
//     the quota.
//   - A file system without locks is refused. The lock on Windows was never tried.
//   - Whoever may write in the folder can write values with digests: it is as trusted as the node.
package store
