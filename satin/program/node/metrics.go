package node

import (
	"net"

	"satingrid/satin/program/admin"
	"satingrid/satin/program/console"
	"satingrid/satin/program/metrics"
	"satingrid/satin/program/wording"
)

// exported is a node as its metrics have it.
type exported struct{ n *nodeState }

func (m exported) Status() (s admin.Status, in bool) {
	if !m.n.in.Load() {
		return s, false
	}
	return m.n.Status(), true
}

func (m exported) Lost() map[string]int { return m.n.roster.counts() }

// listenForMetrics answers who asks for metrics, from now on.
func (n *nodeState) listenForMetrics(addr string) (*metrics.Exporter, error) {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return nil, console.Usage("--metrics is %q: HOST:PORT is expected, such as localhost:9464", addr)
	}
	s, err := metrics.Listen(addr, exported{n})
	if err != nil {
		return nil, console.Usage("--metrics: %v", wording.Bare(err))
	}
	n.con.Say("metrics are at http://%s/metrics", s.Addr())
	return s, nil
}
