package p2p

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
	"time"

	"satingrid/satin/await"

	"golang.org/x/sync/errgroup"
)

// asHost makes this test binary a host in a process of its own, which prints
// its address, dials the addresses in asHost when there are any, and ends with
// its standard input. With _RESERVATIONS it first waits until it has so many; with
// _THEN it is a caller.
const asHost = "SATIN_P2P_TEST_HOST"

func TestMain(m *testing.M) {
	if dial, ok := os.LookupEnv(asHost); ok {
		if err := beHost(dial); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func beHost(dial string) error {
	c := loopback()
	if listen := os.Getenv(asHost + "_LISTEN"); listen != "" {
		c.Listen = []string{listen}
	}
	count, _ := strconv.Atoi(os.Getenv(asHost + "_COUNT"))
	var group errgroup.Group
	var first *Host
	for i := range max(count, 1) {
		var host *Host
		c.Events.Frame = func(id string, f []byte) { host.Send(id, append([]byte("re: "), f...)) }
		host, err := Open(context.Background(), c)
		if err != nil {
			return err
		}
		defer host.Close()
		if i == 0 {
			first = host
		}
		if err := host.Subscribe(bestTopic); err != nil {
			return err
		}
		for _, a := range strings.Fields(dial) {
			group.Go(func() error {
				return persist(host, a)
			})
		}
	}
	if err := group.Wait(); err != nil {
		return err
	}
	if reservations, _ := strconv.Atoi(os.Getenv(asHost + "_RESERVATIONS")); reservations > 0 {
		if !await.Comes(func() bool {
			return strings.Contains(strings.Join(first.Addrs(), " "), circuitPart) && len(first.relays.addrs()) >= reservations
		}) {
			return fmt.Errorf("it has never had %d reservations", reservations)
		}
	}
	if then := os.Getenv(asHost + "_THEN"); then != "" {
		go func() {
			if err := call(first, then); !errors.Is(err, ErrClosed) {
				fmt.Fprintln(os.Stderr, err)
				os.Exit(1)
			}
		}()
	} else {
		fmt.Println(first.Addrs()[0])
	}
	io.Copy(io.Discard, os.Stdin)
	return nil
}

// call dials a host again and again, as soon as its session is over, sends it
// the largest value each time, and says in a line how the bytes went and how
// long both took.
func call(h *Host, to string) error {
	id := to[strings.LastIndexByte(to, '/')+1:]
	body := noise(BulkMax)
	for {
		start := time.Now()
		if err := persist(h, to); err != nil {
			return err
		}
		found := time.Now()
		ctx, cancel := context.WithTimeout(context.Background(), largest)
		err := h.SendBulk(ctx, id, nil, body)
		cancel()
		if err != nil {
			return err
		}
		s := h.session(id)
		fmt.Println(s.conn.RemoteMultiaddr(), found.Sub(start), time.Since(found))
		<-s.gone
	}
}

// persist dials until there is a session, and for no longer than its patience.
func persist(h *Host, to string) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	for {
		_, err := h.Dial(ctx, to)
		if err == nil || ctx.Err() != nil || errors.Is(err, ErrNobody) {
			return err
		}
		fmt.Fprintln(os.Stderr, err)
		time.Sleep(10 * time.Millisecond) // before it dials again
	}
}

// process is a host in another process.
type process struct {
	*exec.Cmd
	stdin io.WriteCloser
	out   *bufio.Reader
	addr  string // its first line
}

// line waits for the next line of the process.
func (p process) line(t testing.TB) string {
	t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		t.Fatalf("the process said nothing: %v", err)
	}
	return strings.TrimSpace(line)
}

// spawn starts a host in another process, by a command such as ip netns exec.
func spawn(t testing.TB, dial string, env []string, command ...string) process {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	command = append(command, exe)
	p := process{Cmd: exec.Command(command[0], command[1:]...)}
	p.Env = append(append(os.Environ(), asHost+"="+dial), env...)
	p.Stderr = os.Stderr
	out, err := p.StdoutPipe()
	if err == nil {
		p.stdin, err = p.StdinPipe()
	}
	if err == nil {
		err = p.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		p.stdin.Close()
		p.Wait()
	})
	p.out = bufio.NewReader(out)
	p.addr = p.line(t)
	return p
}

func TestAKilledProcessIsNoticedAndNobodyAnswers(t *testing.T) {
	a := start(t)
	for range 3 {
		p := spawn(t, "", nil)
		id, err := a.Dial(soon(t), p.addr)
		if err != nil {
			t.Fatal(err)
		}
		if err := a.Send(id, []byte("ping")); err != nil {
			t.Fatal(err)
		}
		a.saw.await(t, "frame "+id+" re: ping", 1)
		killed := time.Now()
		p.Process.Kill()
		a.saw.await(t, "down "+id+" reset", 1)
		down := time.Since(killed)
		if _, err := a.Dial(soon(t), p.addr); !errors.Is(err, ErrNobody) {
			t.Fatalf("Dial: %v", err)
		}
		t.Logf("down after %v, dialled in vain after %v", down, time.Since(killed))
	}
}

func TestAProcessThatIsStoppedAndContinued(t *testing.T) {
	a := start(t)
	p := spawn(t, "", nil)
	id, err := a.Dial(soon(t), p.addr)
	if err != nil {
		t.Fatal(err)
	}
	stop, cont := stopSignals()
	if stop == nil {
		t.Skip("this system cannot stop a process")
	}
	p.Process.Signal(stop)
	a.saw.await(t, "down "+id+" silent", 1) // the multiplexer's own patience, 7 s
	p.Process.Signal(cont)
	await.Until(t, "a session with a process that goes on", func() bool {
		_, err := a.Dial(soon(t), p.addr)
		return err == nil
	})
	a.saw.await(t, "up "+id, 2)
}

// BenchmarkIdle prints what a host with 8 peers costs when nothing happens.
func BenchmarkIdle(b *testing.B) {
	p := spawn(b, "", nil)
	for range 8 {
		h := start(b)
		if err := h.Subscribe(bestTopic); err != nil {
			b.Fatal(err)
		}
		if _, err := h.Dial(soon(b), p.addr); err != nil {
			b.Fatal(err)
		}
	}
	const window = 5 * time.Second
	time.Sleep(time.Second) // what a beginning costs is over
	before, _ := cost(b, p.Process.Pid)
	time.Sleep(window) // in which nothing happens: that is measured
	after, rss := cost(b, p.Process.Pid)
	b.ReportMetric(100*(after-before).Seconds()/window.Seconds(), "%core")
	b.ReportMetric(float64(rss)/1e6, "MB")
}

// cost reads the processor time and the memory of a process from /proc.
func cost(t testing.TB, pid int) (cpu time.Duration, rss int64) {
	t.Helper()
	b, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Skip("no /proc here: ", err)
	}
	f := strings.Fields(string(b[strings.LastIndexByte(string(b), ')')+2:]))
	user, _ := strconv.Atoi(f[11])
	system, _ := strconv.Atoi(f[12])
	pages, _ := strconv.ParseInt(f[21], 10, 64)
	return time.Duration(user+system) * 10 * time.Millisecond, pages * int64(os.Getpagesize())
}
