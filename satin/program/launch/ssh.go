package launch

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"satingrid/satin/program/console"
	"satingrid/satin/program/node"
	"satingrid/satin/program/wording"
)

const (
	// copyMax is how long the executable may take to a machine: 50 MB over 1 Mbit/s.
	copyMax = 10 * time.Minute

	// digestLetters of the executable's digest name it on other machines.
	digestLetters = 32

	// sshFailed is the exit code of ssh itself, and not of what it executes.
	sshFailed = 255
)

// sshOptions let it ask nobody for a password, and notice that a machine is gone.
var sshOptions = []string{
	"-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "ServerAliveInterval=5", "-o", "ServerAliveCountMax=3",
}

func sshCommand(con *console.Console) *cli.Command {
	return &cli.Command{
		Name: "ssh", Usage: "start nodes on machines that ssh reaches", ArgsUsage: "[-- NODE FLAGS]",
		Description: `Starts nodes of this executable on other machines, as local does here. The file of --hosts has a line for each:
  user@host[:port] [site=S] [workers=N]     # a comment
ssh must reach them without asking for a password. The executable is copied to ~/.cache/` + con.Name + `, once for each build. The
ticket goes by standard input: that of --join, or of the node that runs here with --state. What stands after -- are
more flags of ` + con.Name + ` node. Says of each machine what came of it; the exit code is 1 if any node is not in its grid.`,
		Flags: flagsOf(con, "the grid that `TICKET` leads to, instead of that of the node that runs here: a file, a folder of tickets, - or an address",
			nodesFlag("how many nodes on each machine"),
			&cli.StringFlag{Name: "hosts", Usage: "`FILE` of the machines"},
		),
		Action: func(c *cli.Context) error {
			l, err := newSSH(con, c)
			if err != nil {
				return err
			}
			if !c.Bool("print") {
				err = l.invite(con, c)
			}
			if err != nil {
				return err
			}
			return start(con, c, l)
		},
	}
}

// newSSH is a launch by ssh as the flags have it.
func newSSH(con *console.Console, c *cli.Context) (*Launch, error) {
	l, err := newLaunch(con, c, sshWord)
	if err != nil {
		return nil, err
	}
	hosts := c.String("hosts")
	if hosts == "" {
		return nil, console.Usage("launch ssh needs --hosts FILE, with user@host[:port] [site=S] [workers=N] one a line")
	}
	if l.Machines, err = readHosts(hosts, l.Nodes); err != nil {
		return nil, err
	}
	l.Nodes *= len(l.Machines)
	if l.digest, err = digestOf(l.Program); err != nil {
		return nil, fmt.Errorf("the executable, which is to be copied: %w", wording.Bare(err))
	}
	return l, nil
}

// invite gives a launch the ticket of the grid that its nodes join.
func (l *Launch) invite(con *console.Console, c *cli.Context) error {
	w, err := node.WhereOf(con, c, "")
	if err != nil {
		return err
	}
	return l.invitedTo(w, c.String("join"))
}

// invitedTo gives a launch the ticket of a grid, to which what --join said leads.
func (l *Launch) invitedTo(w *node.Where, join string) error {
	by, err := w.Invitation()
	if err != nil {
		return err
	}
	if l.ticket, err = by.Ticket.Encode(); err != nil {
		return console.Usage("--join: %v", err)
	}
	if join != "-" {
		l.said = join
	}
	return nil
}

// digestOf names what is in a file.
func digestOf(name string) (string, error) {
	f, err := os.Open(name)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := io.Copy(sum, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(sum.Sum(nil))[:digestLetters], nil
}

// bySSH launches nodes on machines that ssh reaches.
func bySSH(con *console.Console) *shells {
	s := &shells{con: con}
	s.at = func(l *Launch) paths {
		return paths{
			folder:  `"${XDG_STATE_HOME:-$HOME/.local/state}"/` + quoted(strings.Join([]string{con.Name, launchesFolder, l.Name}, "/")),
			program: `"${XDG_CACHE_HOME:-$HOME/.cache}"/` + quoted(strings.Join([]string{con.Name, l.digest, con.Name}, "/")),
		}
	}
	s.execute = func(ctx context.Context, m Machine, script string, in io.Reader) (string, error) {
		out, err := execute(ctx, in, withoutTicket(con), sshWords(m, script)...)
		var said *saidError
		switch {
		case errors.Is(err, exec.ErrNotFound):
			err = errors.New("there is no command ssh here: install OpenSSH's client")
		case ctx.Err() != nil, errors.As(err, &said) && said.code == sshFailed:
			err = &unreached{strings.TrimPrefix(err.Error(), "ssh: ")}
		}
		return out, err
	}
	s.supply = s.copyTo
	s.script = s.sshScript
	return s
}

// sshWords are the command that has a machine's shell execute a script: whatever shell the user
// has there, sh is what does.
func sshWords(m Machine, script string) []string {
	words := append([]string{"ssh"}, sshOptions...)
	if m.Port != 0 {
		words = append(words, "-p", strconv.Itoa(m.Port))
	}
	return append(words, m.Target, "exec sh -c "+quoted(script))
}

// copy is the script that puts an executable in its place.
func (w paths) copy(size int64) string {
	return fmt.Sprintf("program=%s\nsize=%d\n", w.program, size) + copyScript
}

// copyTo copies the executable to a machine that has it not, and whose system a script has said.
func (s *shells) copyTo(ctx context.Context, l *Launch, m Machine, line string) error {
	if is := systemOf(line); is != "" && is != runtime.GOOS+"/"+runtime.GOARCH {
		return fmt.Errorf("it is %s, and this executable is for %s/%s: build one for it, and launch from such a machine", is, runtime.GOOS, runtime.GOARCH)
	}
	f, err := os.Open(l.Program)
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, copyMax, fmt.Errorf("the executable was not there within %v", copyMax))
	defer cancel()
	_, err = s.execute(ctx, m, s.at(l).copy(info.Size()), f)
	return err
}

// systemOf is a system in Go's words, by the line that says that the executable is missing; "" for
// one that is not known here.
func systemOf(line string) string {
	words := strings.Fields(line)
	if len(words) < 3 {
		return ""
	}
	system := map[string]string{"Linux": "linux", "Darwin": "darwin", "FreeBSD": "freebsd"}[words[1]]
	kind := map[string]string{"x86_64": "amd64", "amd64": "amd64", "aarch64": "arm64", "arm64": "arm64"}[words[2]]
	if system == "" || kind == "" {
		return ""
	}
	return system + "/" + kind
}

// sshScript is all that Start does, one machine after the other.
func (s *shells) sshScript(l *Launch) string {
	w := s.at(l)
	var size int64
	if info, err := os.Stat(l.Program); err == nil {
		size = info.Size()
	}
	var b strings.Builder
	fmt.Fprintf(&b, "#!/bin/sh\n# Starts %s of %s on %s that ssh reaches: sh THIS TICKET, with a ticket's file, as\n# %s key invite writes it. On each machine a node has a folder, with its log and its process id, below\n",
		nodesOf(l), s.con.Name, wording.Count(len(l.Machines), "machine"), s.con.Name)
	fmt.Fprintf(&b, "#   %s\n# SIGTERM lets it leave. Executed again, it starts those that have ended, with what they have stored.\n", w.folder)
	fmt.Fprintf(&b, "ticket=${1:?the file of a ticket is expected}\n[ -r \"$ticket\" ] || { echo \"$ticket cannot be read\" >&2; exit 2; }\nprogram=%s\ncopy=%s\n", quoted(l.Program), quoted(w.copy(size)))
	// what is said of one machine is the same for all, but for the beginning
	common := nodesScript + startScript
	fmt.Fprintf(&b, "start=%s\n", quoted(common))
	fmt.Fprintf(&b, onMachines, quotedAll(sshOptions))
	for _, m := range l.Machines {
		port := ""
		if m.Port != 0 {
			port = strconv.Itoa(m.Port)
		}
		fmt.Fprintf(&b, "launch %s %s %s || failed=1\n", quoted(m.Target), quoted(port), quoted(strings.TrimSuffix(w.start(l, m), common)))
	}
	b.WriteString("exit $failed\n")
	return b.String()
}

// onMachines are the functions of a printed script.
const onMachines = `quoted() { printf "'%%s'" "$(printf %%s "$1" | sed "s/'/'\\\\''/g")"; }
on() { # HOST PORT SCRIPT
	ssh %s ${2:+-p "$2"} "$1" "exec sh -c $(quoted "$3")"
}
launch() { # HOST PORT BEGINNING
	out=$(on "$1" "$2" "$3$start" <"$ticket" 2>/dev/null)
	code=$?
	case $out in
	*"missing "*)
		on "$1" "$2" "$copy" <"$program" || return
		out=$(on "$1" "$2" "$3$start" <"$ticket")
		code=$?
		;;
	esac
	printf '%%s: %%s\n' "$1" "${out:-not reachable}"
	return $code
}
failed=0
`
