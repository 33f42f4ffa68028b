// Package dash shows what a whole grid does on a page in a browser, every second, or what a
// recording has of one.
//
// The page is the one that a report is ([recording.Report]), of what was seen since the dash began,
// with what is so now above it. It comes from the binary itself, and asks nobody else for anything.
//
// # Who may look
//
// A [Dashboard] is for the person who has started it. It listens on the loopback device; whoever
// looks from elsewhere brings the port over by ssh. Its page is below a path that nobody can guess,
// which stands in the link that is printed: another user of the machine does not have it. A request
// whose Host is not this machine, or that comes from a page of another origin, is refused, so that
// no page elsewhere reads it by way of the browser. Nothing can be done to a grid there, unless it
// was opened with a [moments.Control]: then whoever has the link can do what that can. Where a
// recording is played, whoever looks may go on and back in it, for all who look.
package dash
