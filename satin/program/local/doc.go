// Package local makes a grid of real processes on this machine: peers at several sites, each a
// process of its own, and the distance between the sites.
//
// A [Grid] starts the processes, lets more join, kills, stops and continues them, cuts and heals
// what lies between sites, and ends them all. [Serve] is the other side: what each of these
// processes does. [ParseSites] and [ParseDistance] read what people write on the command line.
//
// # How parent and child talk
//
// The child reads orders from its standard input and writes what it has to tell to its standard
// output, JSON lines both. The first order has the ticket, so that the secret is in no argument and
// no environment. The end of the orders is the end of the child: whatever becomes of the parent,
// the kernel closes that pipe. On Linux the kernel also kills the child with its parent, which
// reaches one that is stopped.
//
// # Limitations
//
// Elsewhere than on Linux a child that is stopped outlives a parent that is killed
// until it is continued.
package local
