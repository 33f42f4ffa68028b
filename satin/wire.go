package satin

import (
	"errors"
	"fmt"

	"github.com/fxamacker/cbor/v2"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// wireVersion is compared in the first message of a connection: peers that speak another are refused.
const wireVersion = 2

// wireElementsMax bounds each array of a message: the longest is a snapshot's list of members or tombstones.
const wireElementsMax = 1 << 16

var wireMode = must(cbor.DecOptions{
	DupMapKey:         cbor.DupMapKeyEnforcedAPF,
	IndefLength:       cbor.IndefLengthForbidden,
	TagsMd:            cbor.TagsForbidden,
	ExtraReturnErrors: cbor.ExtraDecErrorUnknownField,
	MaxNestedLevels:   nestingMax,
	MaxArrayElements:  wireElementsMax,
	MaxMapPairs:       wireElementsMax,
	FieldNameMatching: cbor.FieldNameMatchingCaseSensitive,
}.DecMode())

// envelope is a message on the wire: what kind of body follows, who says it in which life, and to which.
type envelope struct {
	_    struct{} `cbor:",toarray"`
	Kind uint8
	From lifeOnWire
	To   lifeOnWire
	Body cbor.RawMessage
}

type lifeOnWire struct {
	_      struct{} `cbor:",toarray"`
	Join   uint32
	Rejoin uint32
	Random uint64
}

func toWire(i membership.Incarnation) lifeOnWire {
	return lifeOnWire{Join: i.Join, Rejoin: i.Rejoin, Random: i.Random}
}

func fromWire(l lifeOnWire) membership.Incarnation {
	return membership.Incarnation{Join: l.Join, Rejoin: l.Rejoin, Random: l.Random}
}

// encodeMessage makes a message's bytes.
func encodeMessage(m peer.Message) ([]byte, error) {
	body, err := marshal(m.Body)
	if err != nil {
		return nil, fmt.Errorf("satin: encode %T: %w", m.Body, err)
	}
	return marshal(&envelope{Kind: m.Body.Kind(), From: toWire(m.From), To: toWire(m.To), Body: body})
}

var errKind = errors.New("satin: a message of a kind that this version does not know")

// decodeMessage reads a message. Its length was bounded by the carrier; nothing in it is trusted.
func decodeMessage(data []byte) (peer.Message, error) {
	var e envelope
	if err := wireMode.Unmarshal(data, &e); err != nil {
		return peer.Message{}, fmt.Errorf("satin: a message: %w", err)
	}
	decode := bodies[e.Kind]
	if decode == nil {
		return peer.Message{}, errKind
	}
	body, err := decode(e.Body)
	if err != nil {
		return peer.Message{}, fmt.Errorf("satin: a message of kind %d: %w", e.Kind, err)
	}
	return peer.Message{From: fromWire(e.From), To: fromWire(e.To), Body: body}, nil
}

// bodies decodes each kind of message into its own type.
var bodies = [256]func([]byte) (membership.Body, error){
	membership.KindHeartbeat: bodyOf[membership.Heartbeat],
	membership.KindHello:     bodyOf[membership.Hello],
	membership.KindGone:      bodyOf[membership.Gone],
	membership.KindPing:      bodyOf[membership.Ping],
	membership.KindPong:      bodyOf[membership.Pong],
	membership.KindPingFor:   bodyOf[membership.PingFor],
	membership.KindAlive:     bodyOf[membership.Alive],
	membership.KindRefused:   bodyOf[membership.Refused],
	membership.KindWho:       bodyOf[membership.Who],
	membership.KindBarred:    bodyOf[membership.Barred],
	steal.KindAsk:            bodyOf[steal.Ask],
	steal.KindNothing:        bodyOf[steal.Nothing],
	steal.KindWake:           bodyOf[steal.Wake],
	steal.KindLend:           bodyOf[steal.Lend],
	steal.KindReturn:         bodyOf[steal.Return],
	steal.KindReturned:       bodyOf[steal.Returned],
	steal.KindWithdraw:       bodyOf[steal.Withdraw],
	steal.KindProbe:          bodyOf[steal.Probe],
	steal.KindHeld:           bodyOf[steal.Held],
	peer.KindPull:            bodyOf[peer.Pull],
	peer.KindSnapshot:        bodyOf[peer.Snapshot],
	peer.KindDigest:          bodyOf[peer.Digest],
	peer.KindFetch:           bodyOf[peer.Fetch],
	peer.KindRecord:          bodyOf[peer.Record],
	peer.KindSubmit:          bodyOf[peer.Submit],
	peer.KindAccepted:        bodyOf[peer.Accepted],
	peer.KindNeedRoot:        bodyOf[peer.NeedRoot],
	peer.KindAnswer:          bodyOf[peer.Answer],
	peer.KindEnded:           bodyOf[peer.Ended],
	peer.KindFail:            bodyOf[peer.Fail],
	peer.KindWantBest:        bodyOf[peer.WantBest],
	peer.KindBestIs:          bodyOf[peer.BestIs],
	peer.KindHaveBest:        bodyOf[peer.HaveBest],
	peer.KindKeep:            bodyOf[peer.Keep],
	peer.KindKept:            bodyOf[peer.Kept],
	orphan.KindAdvert:        bodyOf[orphan.Advert],
	orphan.KindVersions:      bodyOf[orphan.Versions],
	orphan.KindWantList:      bodyOf[orphan.WantList],
	orphan.KindList:          bodyOf[orphan.List],
	orphan.KindWantResult:    bodyOf[orphan.WantResult],
	orphan.KindResultIs:      bodyOf[orphan.ResultIs],
	orphan.KindCopy:          bodyOf[orphan.Copy],
	orphan.KindCopied:        bodyOf[orphan.Copied],
	orphan.KindUncovered:     bodyOf[orphan.Uncovered],
	orphan.KindCovered:       bodyOf[orphan.Covered],
	orphan.KindWill:          bodyOf[orphan.Will],
	orphan.KindWilled:        bodyOf[orphan.Willed],
	peer.KindFollow:          bodyOf[peer.Follow],
	peer.KindContest:         bodyOf[peer.Contest],
	peer.KindWanted:          bodyOf[peer.Wanted],
	peer.KindFacts:           bodyOf[peer.Facts],
	peer.KindFull:            bodyOf[peer.Full],
	kindReport:               bodyOf[report],
	kindOrder:                bodyOf[order],
	kindShares:               bodyOf[shares],
	kindLate:                 bodyOf[late],
}

func bodyOf[B membership.Body](data []byte) (membership.Body, error) {
	var b B
	err := wireMode.Unmarshal(data, &b)
	return b, err
}
