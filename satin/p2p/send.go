package p2p

// Send queues a frame for a peer.
func (h *Host) Send(id string, frame []byte) error {
	if len(frame) > FrameMax {
		return ErrTooBig
	}
	s := h.session(id)
	if s == nil {
		return ErrNotUp
	}
	return s.send(kindFrame, frame)
}

// BytesFar is how many bytes this host has sent to other sites; see Carrier.
func (h *Host) BytesFar() int64 {
	if h.cfg.Wan == nil {
		return 0
	}
	return h.cfg.Wan.BytesFar()
}

// Traffic is what was counted since Open.
type Traffic struct {
	Proved   int64 // connections whose other end proved the secret
	Refused  int64 // connections refused here
	Streams  int64 // streams that others opened
	Frames   int64 // frames received
	Bulks    int64 // bulk transfers begun by others
	Messages int64 // gossiped messages received
}

// Stats counts what came in.
func (h *Host) Stats() Traffic {
	return Traffic{
		Proved: h.handshake.proved.Load(), Refused: h.handshake.refused.Load(),
		Streams: h.count.streams.Load(), Frames: h.count.frames.Load(),
		Bulks: h.count.bulks.Load(), Messages: h.count.messages.Load(),
	}
}
