package p2p

import (
	"context"
	"net"

	"github.com/libp2p/go-libp2p/core/network"
	"github.com/libp2p/go-libp2p/core/transport"
	"github.com/libp2p/go-libp2p/p2p/muxer/yamux"
	"github.com/libp2p/go-libp2p/p2p/net/upgrader"
	"github.com/libp2p/go-libp2p/p2p/transport/tcp"
	ma "github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"
)

// tcpTransport is libp2p's TCP transport on sockets that are tuned, with a Wan
// around them where there is one.
type tcpTransport struct {
	*tcp.TcpTransport
	upgrader  transport.Upgrader
	admission *unproved
	wan       Wan
}

func newTransport(up transport.Upgrader, limits network.ResourceManager, p *unproved,
	w Wan) (*tcpTransport, error) {
	dialer := tcpDialer{wan: w}
	t, err := tcp.NewTCPTransport(up, limits, nil, tcp.DisableReuseport(),
		tcp.WithConnectionTimeout(connectTime),
		tcp.WithDialerForAddr(func(ma.Multiaddr) (tcp.ContextDialer, error) { return dialer, nil }))
	return &tcpTransport{t, up, p, w}, err
}

// Listen listens on a TCP multiaddress.
func (t *tcpTransport) Listen(addr ma.Multiaddr) (transport.Listener, error) {
	netw, host, err := manet.DialArgs(addr)
	if err != nil {
		return nil, err
	}
	l, err := net.Listen(netw, host)
	if err != nil {
		return nil, err
	}
	ml, err := manet.WrapNetListener(tcpListener{l, t.admission, t.wan})
	if err != nil {
		l.Close()
		return nil, err
	}
	return t.upgrader.UpgradeGatedMaListener(t, t.upgrader.GateMaListener(ml)), nil
}

type tcpListener struct {
	net.Listener
	admission *unproved
	wan       Wan
}

// Accept tunes and wraps what it accepts, for which there must be a place.
func (l tcpListener) Accept() (net.Conn, error) {
	for {
		c, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c = l.admission.receive(tuned(c, l.wan, false)); c != nil {
			return c, nil
		}
	}
}

type tcpDialer struct{ wan Wan }

// DialContext tunes and wraps what it dials.
func (d tcpDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	var dialer net.Dialer
	c, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return tuned(c, d.wan, true), nil
}

// tuned sets what makes the end of a process visible at once and keeps small
// frames from waiting behind large values.
func tuned(c net.Conn, w Wan, dialled bool) net.Conn {
	if t, ok := c.(*net.TCPConn); ok {
		// A close resets, so the address can be used again at once; whatever
		// must arrive before it is acknowledged by a message.
		t.SetLinger(0)
		limitUnsent(t)
	}
	if w == nil {
		return c
	}
	return w.Around(c, dialled)
}

// newMuxer is yamux tuned: its defaults see a silent peer after 38 s, and send
// a megabyte of one stream before anything of another.
func newMuxer() upgrader.StreamMuxer {
	cfg := *yamux.DefaultTransport.Config()
	cfg.KeepAliveInterval = pingTime
	cfg.ConnectionWriteTimeout = writeTime
	cfg.MaxMessageSize = 16 << 10
	cfg.MaxIncomingStreams = streamsPerPeer
	return upgrader.StreamMuxer{ID: yamux.ID, Muxer: (*yamux.Transport)(&cfg)}
}
