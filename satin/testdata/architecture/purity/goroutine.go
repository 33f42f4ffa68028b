package purity

func work() {
	go deadline(0)         // want "go statement"
	done := make(chan int) // want "channel"
	select {               // want "select"
	case <-done: // want "channel"
	default:
	}
	done <- 1        // want "channel"
	for range done { // want "channel"
	}
}

type box struct {
	full chan<- int // want "channel"
}
