package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"runtime/pprof"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/cmd/satin/bench"
	"satingrid/satin/atomicfile"
	"satingrid/satin/program/console"
	"satingrid/satin/program/wording"
)

// profiledFor is how long each program is watched, so that all weigh the same: Go takes a hundred
// samples a second of each core.
const profiledFor = 4 * time.Second

// benchProfile writes a profile of all applications at work, and of the sequential programs beside
// which they are measured: what those did not gain too would flatter us.
func benchProfile(con *console.Console, c *cli.Context) error {
	meter := con.NewMeter("bench --profile", time.Now())
	meter.Announce()
	var profile bytes.Buffer
	if err := pprof.StartCPUProfile(&profile); err != nil {
		return fmt.Errorf("bench --profile: %w", err)
	}
	err := work(c.Context, bench.Foretold, bench.All(), profiledFor, meter.Share)
	pprof.StopCPUProfile()
	meter.Clear()
	if err != nil {
		return fmt.Errorf("bench --profile: %w", err)
	}
	return atomicfile.Replace(c.String("profile"), 0o644, profile.Bytes())
}

// work lets each run and each sequential program compute for so long, in this process.
func work(ctx context.Context, runs []bench.EtaRun, alone []bench.Computation, each time.Duration, done func(float64)) error {
	folder, err := os.MkdirTemp("", "profile")
	if err != nil {
		return err
	}
	defer os.RemoveAll(folder)
	all := float64(len(runs) + len(alone))
	for i, r := range runs {
		words, err := r.In(folder)
		if err != nil {
			return err
		}
		words = append(append([]string{"run"}, words...), "--timeout", each.String())
		for start := time.Now(); time.Since(start) < each; {
			var said bytes.Buffer
			code := command().Run(words, &console.Console{Name: "satin", Out: io.Discard, Err: &said, Terminal: -1})
			if code != console.ExitOK && code != console.ExitPartial && code != console.ExitTimeout {
				return fmt.Errorf("%v: exit code %d: %s", r, code, wording.LastLine(said.String()))
			}
		}
		done(float64(i+1) / all)
	}
	for i, p := range alone {
		for start := time.Now(); time.Since(start) < each; {
			if p.Sequential(); ctx.Err() != nil {
				return context.Cause(ctx)
			}
		}
		done(float64(len(runs)+i+1) / all)
	}
	return nil
}
