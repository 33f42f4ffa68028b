package p2p

import "time"

// Limits of what crosses the wire and of what one peer can make another hold.
const (
	// FrameMax is the longest frame. What is larger goes by SendBulk, so that
	// it does not stand in the way of a steal.
	FrameMax = 64 << 10
	// MessageMax is the longest gossiped message: gossip multiplies it.
	MessageMax = 32 << 10
	// HelloMax is the longest hello: versions and digests, no data.
	HelloMax = 4 << 10
	// GridMax is the longest grid name, in bytes.
	GridMax = 64
	// AddrsMax is how many addresses a peer may say it has; a machine with
	// many interfaces has a dozen.
	AddrsMax = 16
	// HeaderMax is the longest bulk header: ids and digests, and no data.
	HeaderMax = 16 << 10
	// BulkMax is the default cap of a bulk body, that of a run's result.
	BulkMax = 64 << 20

	addrMax   = 256 // bytes of one address; the longest real one is about 120
	reasonMax = 512 // bytes of a refusal's words
	topicMax  = 64  // topics a host follows; the project has a handful

	queueFrames = 256     // frames that wait for one peer
	queueBytes  = 4 << 20 // bytes that wait for one peer
	batchBytes  = 16 << 10

	// A reader takes framesPerSecond from one peer, so that a flooding member
	// costs about a tenth of a core. A request and reply over loopback, back
	// to back, needs 20,000 a second.
	framesPerSecond = 30_000
	framesBurst     = 8_192
	// Gossip costs a signature check a message, about 80 µs.
	messagesPerSecond = 1_000
	messagesBurst     = 2_000

	bulksPerPeer = 4         // transfers under way from, and to, one peer
	bulkBudget   = 256 << 20 // bytes of bodies being received at one time
	bulkChunk    = 32 << 10
	bulkFirst    = 1 << 20 // room made for a body before any of it has come
)

// Deadlines. Every wait for the other end has one.
const (
	proofTime   = 5 * time.Second // the handshake, from TLS's end to both verdicts
	acceptTime  = 6 * time.Second // the same with TLS and the multiplexer
	answerTime  = 4 * time.Second // for what answers a visit: within acceptTime it has come
	connectTime = 5 * time.Second // TCP's three steps, for a far address
	openTime    = 5 * time.Second // from opening a control stream to its answer
	streamTime  = 5 * time.Second // for a stream to say which protocol it is
	writeTime   = 5 * time.Second // for one write to be taken by the multiplexer
	pingTime    = 2 * time.Second // between signs of life of an idle connection
	// a healthy peer hangs up at once, a stuck one is not waited for
	goodbyeTime = time.Second
	askTime     = 250 * time.Millisecond // a host waits for the opener before it asks
	lingerTime  = 500 * time.Millisecond // so that a refusal is read before the reset
	stallTime   = 10 * time.Second       // one chunk of a bulk body
	bulkTime    = 30 * time.Second       // a whole body, to which comes
	bulkSlowest = 256 << 10              // its length at this many bytes a second
)
