// Package hosting finds out where a node runs, and when it has to be gone: under Slurm, in a pod of
// Kubernetes, or on an instance of Amazon EC2, Google Compute Engine or Microsoft Azure that may be
// taken back.
//
// [Look] asks the process's environment and the machine, and gives a [Place]: the site that they
// are at, the cores that the node was given, and what it is in words. [Place.AwaitEnd] waits until
// it is time to leave: ahead of a job's time limit, or of the time that a cloud has given notice
// of.
//
//   - Slurm says in variables of the process which job it is part of, how many cores it was given,
//     and, with the plug-in topology/tree or topology/block, below which switch or in which
//     block it runs. Its time limit is asked of squeue, by the id of this one job: at the start,
//     and again when it is due, since it may have been extended.
//   - A pod of Kubernetes is in the zone that POD_ZONE holds, which package launch has put there.
//     It is told to leave, and asks nobody.
//   - A cloud says in which zone the instance is, and gives notice when it takes it back: two
//     minutes ahead on EC2, 30 s on Compute Engine and Azure. The addresses are link-local, the
//     requests those of the clouds' documentation. Which cloud it is stands in the firmware's
//     tables (DMI), so elsewhere nobody is asked.
//
// Who does not answer is asked again, and that it does not is said once.
//
// Where several end together – the tasks of an array have one time limit – each leaves a moment of
// its own earlier, so that heirs are there.
//
// The clouds' own libraries would bring three software development kits for five requests.
//
// # Costs
//
// One run of squeue under Slurm, one to three requests in a cloud, each [askMax] at most; then one
// request every [noticeEvery] of the machine that it runs on. A process wakes once a minute at
// least. A cloud that does not answer is asked three times for its zone, before the node is opened.
//
// # Limitations
//
// A cloud's advice that an instance may be taken back soon is not looked at. Nor is maintenance,
// except Azure's: an instance that Compute Engine terminates for it, or that EC2 has scheduled to
// stop, reboot or retire, ends without a word. Azure says Reboot also where it only freezes the
// instance in the end, and the node has left then.
//
// A drained node of Slurm tells its jobs nothing, nor is a time limit noticed that was shortened
// after the start. Other plug-ins for the topology tell no site, and an older topology/block tells
// none either. A job that was submitted from within a step inherits the step's variables, and takes
// itself for one of its tasks: then --workers has to say how many.
//
// In a container without the firmware's tables a cloud is found only if
// AWS_EC2_METADATA_SERVICE_ENDPOINT or GCE_METADATA_HOST names its metadata, as the clouds' own
// tools take it.
package hosting
