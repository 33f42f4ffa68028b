package purity

import "time"

const patience = 5 * time.Second

func deadline(now time.Duration) time.Duration { return now + patience }

func started() time.Time { return time.Now() } // want "time.Now"

func since(t time.Time) time.Duration { return time.Since(t) } // want "time.Since"

func later() {
	time.Sleep(patience)                // want "time.Sleep"
	time.AfterFunc(patience, func() {}) // want "time.AfterFunc"
	_ = time.NewTimer(patience)         // want "time.NewTimer"
	clock := time.Now                   // want "time.Now"
	_, _ = clock(), time.Tick           // want "time.Tick"
	_, _ = time.ParseDuration("5s")
}
