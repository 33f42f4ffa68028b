package console

import "time"

// Quiet is how long a thing may take before it is worth a line: soon enough that nobody wonders
// whether anything happens, late enough that short runs print their answer and nothing else.
const Quiet = 150 * time.Millisecond

// WhileSlow does something, and says so as soon as it takes long enough to be wondered at.
func WhileSlow(do, say func()) {
	done, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		timer := time.NewTimer(Quiet)
		defer timer.Stop()
		select {
		case <-done:
			return
		case <-timer.C:
		}
		select {
		case <-done: // both had come to pass when this goroutine got its turn
		default:
			say()
		}
	}()
	defer func() { // also where do panics: nothing is said after the end
		close(done)
		<-ended
	}()
	do()
}
