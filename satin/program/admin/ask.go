package admin

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"strconv"
	"syscall"
	"time"

	"satingrid/satin/program/runs"
)

var (
	errMute  = errors.New("control: the node does not answer")
	errEnded = errors.New("control: the node ended before it had said how that ended")
)

// unreadable says what may be wrong with an answer that is none.
func unreadable(err error) error {
	return fmt.Errorf("control: the node's answer cannot be read; is it the same build? %w", err)
}

// Ask asks the node that runs with a state folder what it knows.
func Ask(folder string) (status Status, err error) {
	return status, get(folder, "/status", &status)
}

// Story asks it what has happened to the run that a word means, from a line on.
func Story(folder, word string, from int) (runs.Story, error) {
	var told storyReply
	err := get(folder, "/story?"+url.Values{"run": {word}, "from": {strconv.Itoa(from)}}.Encode(), &told)
	if err == nil && told.Error != "" {
		err = &Failure{told.Code, told.Error}
	}
	return told.Story, err
}

// get asks one question.
func get(folder, path string, answer any) error {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	body, err := request(ctx, folder, http.MethodGet, path, nil, errMute)
	if err != nil {
		return err
	}
	defer body.Close()
	text, err := io.ReadAll(body)
	if err != nil {
		return errors.Join(errMute, err)
	}
	if err := json.Unmarshal(text, answer); err != nil {
		return unreadable(err)
	}
	return nil
}

// Tell tells the node that runs with a state folder to do something, and returns when it has.
// What it says meanwhile goes to say. When ctx ends, the node does not go on to peers that it
// has not reached yet. When the node itself leaves, and r is to wait for that, Tell returns when
// its process has ended, or with a *Failure when that takes longer than ten seconds.
func Tell(ctx context.Context, folder string, r Request, say func(line string)) error {
	return tell(ctx, folder, r, say, endMax)
}

// tell is Tell that waits so long for the end of a process.
func tell(ctx context.Context, folder string, r Request, say func(line string), within time.Duration) error {
	text, err := json.Marshal(r)
	if err != nil {
		return fmt.Errorf("control: %w", err)
	}
	body, err := request(ctx, folder, http.MethodPost, "/do", text, errEnded)
	if err != nil {
		return err
	}
	defer body.Close()
	lines := bufio.NewScanner(body)
	lines.Buffer(nil, answerMax)
	for lines.Scan() {
		var p reply
		if err := json.Unmarshal(lines.Bytes(), &p); err != nil {
			return unreadable(err)
		}
		if !p.Done {
			say(p.Say)
			continue
		}
		var outcome error
		if p.Error != "" {
			outcome = &Failure{p.Code, p.Error}
		}
		if p.Ends == 0 {
			return outcome
		}
		return awaitEnd(ctx, lines, p.Ends, outcome, within, func() { body.Close() })
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return errors.Join(errEnded, lines.Err())
}

// request sends a request to the node, and returns what it answers. When it does
// not, the error is mute.
func request(ctx context.Context, folder, method, path string, text []byte, mute error) (io.ReadCloser, error) {
	transport := &http.Transport{
		DisableKeepAlives: true,
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			dialer := net.Dialer{Timeout: patience}
			return dialer.DialContext(ctx, "unix", filepath.Join(folder, SocketFile))
		},
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://node"+path, bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("control: %w", err)
	}
	answer, err := transport.RoundTrip(r)
	var dialling *net.OpError
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ECONNREFUSED):
		return nil, fmt.Errorf("%w with state folder %s; start one with satin node, or name another with --state",
			ErrNoNode, folder)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("%w with state folder %s: type this as the user whose it is, or name another with --state", ErrNotYours, folder)
	case err != nil && ctx.Err() == context.Canceled:
		return nil, context.Cause(ctx)
	case errors.As(err, &dialling) && dialling.Op == "dial":
		return nil, fmt.Errorf("control: %w", err)
	case err != nil:
		return nil, errors.Join(mute, err)
	case answer.StatusCode != http.StatusOK:
		answer.Body.Close()
		return nil, unreadable(errors.New(answer.Status))
	}
	return http.MaxBytesReader(nil, answer.Body, answerMax), nil
}
