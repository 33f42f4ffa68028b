package metrics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

const (
	patience   = 5 * time.Second // for one request, in either direction
	asksMax    = 4               // at a time
	requestMax = 16 << 10
)

// Exporter answers who asks for metrics.
type Exporter struct {
	http       http.Server
	listener   net.Listener
	goroutines sync.WaitGroup
}

// Listen answers at an address such as localhost:9464, until Close. The node may yet have to come
// into its grid. An error says that the address cannot be had.
func Listen(addr string, node Observed) (*Exporter, error) {
	listener, err := net.Listen("tcp", addr)
	if err != nil {
		return nil, fmt.Errorf("no metrics: %w", err)
	}
	s := &Exporter{listener: listener}
	s.http = http.Server{
		Handler: routes(node), MaxHeaderBytes: requestMax, ReadTimeout: patience, WriteTimeout: 2 * patience, IdleTimeout: time.Minute,
		ErrorLog: log.New(io.Discard, "", 0), // whoever asks nonsense is told
	}
	s.goroutines.Go(func() { s.http.Serve(listener) })
	return s, nil
}

// routes are what is answered: to GET and HEAD only, and nothing else.
func routes(node Observed) http.Handler {
	ours := prometheus.NewRegistry()
	ours.MustRegister(collector{node})
	// beside them those of the process and of Go
	all := prometheus.Gatherers{ours, prometheus.DefaultGatherer}
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(all, promhttp.HandlerOpts{MaxRequestsInFlight: asksMax, Timeout: patience}))
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) {
		node.Status() // which only a loop that turns answers
		io.WriteString(w, "ok\n")
	})
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if why := unwell(node); why != "" {
			http.Error(w, why, http.StatusServiceUnavailable)
			return
		}
		io.WriteString(w, "ok\n")
	})
	return mux
}

// Addr is where it listens.
func (s *Exporter) Addr() string { return s.listener.Addr().String() }

// Close ends the answering.
func (s *Exporter) Close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	err := errors.Join(s.http.Shutdown(ctx), s.http.Close())
	s.goroutines.Wait()
	return err
}
