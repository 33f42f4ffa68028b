// Package launch is the verb launch: it starts nodes where people have machines, says how they
// stand, and ends them.
//
// A [Launch] is what one command line has started, and a [Launcher] is how that is done in one kind
// of place. There are four:
//
//   - local: on this machine, by a script that its shell executes;
//   - ssh: on machines that ssh reaches, by the same script. The executable is copied there once
//     for each of its contents, and the ticket goes by standard input;
//   - slurm: as tasks of a job array, by a batch script;
//   - kubernetes: as pods of a StatefulSet, by manifests that kubectl takes.
//
// What a launcher does stands in a script, or in manifests, which --print shows and one may keep. A
// [Standing] is how one node stands. [Command] puts it all on the command line.
//
// # What is kept
//
// A launch is a folder below launch/ in the state folder, with a file that says what was started
// and where. A node has a folder of its own, in that of its launch or, elsewhere, in one of the
// same name: its state, its log and its process id.
//
// A process is known to be the node by its arguments, which name that folder, since its id may be
// another's by now. It is told to leave by SIGTERM, as anybody would tell it. Machines may share
// the folder: beside the process id stands on which of them it is, and no other looks after it.
//
// # In Kubernetes
//
// Nodes are the pods of a StatefulSet. A node that is evicted leaves in order, and so ends with
// exit code 0. A Job would take that for its work done, and put nothing in the pod's place; a
// Deployment would, but its pods have no numbers, by which people name nodes. Pods start all at
// once, since none needs another.
//
// A headless Service has the address of each pod, and nodes join by its name: they ask at each
// address who is there, and where nobody is one begins the grid. So no pod is special, and one that
// comes later finds those that are there, whoever the ticket names. The ticket is in a Secret, and
// a variable of the container has it from there.
//
// SIGTERM is the order to leave, and the pod has ten seconds more than a leave may take. There is
// no preStop hook: it could only do the same, and then SIGTERM would be the second order, which
// ends the node at once. A PodDisruptionBudget lets a drain take one node at a time, so that heirs
// are there. A pod is ready while its node is in its grid, which the node is asked for by a process
// of its own four times a minute. There is no liveness probe: a node that cannot go on ends by
// itself, and to kill one that is slow would only cost what it has.
//
// Workers are the cores that the pod may use, by which Go's runtime goes. The site is the label
// topology.kubernetes.io/zone of the pod, which Kubernetes copies from its machine from 1.35 on;
// where there is none it is what the cloud says.
//
// # Limitations
//
// What a printed script starts is neither listed nor stopped by the verb. The folders of nodes stay
// when these have left, with the runs that are stored there, unless --remove is given; no later
// launch uses them again.
//
// A machine on which logind ends what a user leaves behind (KillUserProcesses=yes) ends nodes with
// the last session, unless the user lingers there. The machines of ssh must be able to execute this
// very executable, and the user's shell there must read quotes as sh does, which csh does not.
// Nodes beside each other on one machine divide its cores as it tells them, without a look at a
// container's quota.
//
// A StatefulSet starts what it lacks: of its nodes only the last can be stopped alone, and one that
// is told to leave by another command comes back. What a pod has stored goes when the pod does.
// From outside of a cluster its nodes are reached only by way of a node that both reach, as where
// they have joined its grid. Ordinals that begin with 1 need Kubernetes 1.27.
package launch
