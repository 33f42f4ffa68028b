// Package hosting finds out where a node runs, and when it has to be gone: under Slurm, or on an
// instance of Amazon EC2, Google Compute Engine or Microsoft Azure that may be taken back.
//
// [Look] asks the process's environment and the machine, and gives a [Place]: the site that they
// are at, the cores that the node was given, and what it is in words. [Place.AwaitEnd] waits until
// it is time to leave: ahead of a job's time limit, or of the time that a cloud has given notice
// of.
//
//   - Slurm says in variables of the process which task of which job it is, how many cores it was
//     given, and, with a plug-in for the topology, below which switch it runs. Its time limit is
//     asked of squeue, for the one task of an array: at the start, and again when it is due, since
//     it may have been extended.
//   - A cloud says in which zone the instance is, and gives notice when it takes it back: two
//     minutes ahead on EC2, 30 s on Compute Engine and Azure. The addresses are link-local, the
//     requests those of the clouds' documentation. Which cloud it is stands in the firmware's
//     tables (DMI), so elsewhere nobody is asked.
//
// Where several end together – the tasks of an array have one time limit – each leaves a moment of
// its own earlier, so that heirs are there.
//
// The clouds' own libraries would bring three software development kits for five requests.
//
// # Costs
//
// One run of squeue under Slurm, one to three requests in a cloud, each [askMax] at most; then one
// request every [noticeEvery] of the machine that it runs on.
//
// # Limitations
//
// A cloud's advice that an instance may be taken back soon is not looked at, nor is maintenance
// that an instance outlives. A drained node of Slurm tells its jobs nothing. In a container without
// the firmware's tables a cloud is found only if AWS_EC2_METADATA_SERVICE_ENDPOINT or
// GCE_METADATA_HOST names its metadata, as the clouds' own tools take it.
package hosting
