package control

import (
	"reflect"
	"testing"

	"satingrid/membership"
	"satingrid/satin/peer"
	"satingrid/satin/wire"
	"satingrid/steal"
)

// pastSamples are one message of each kind that is said past the machines, with something in every
// field.
func pastSamples() []peer.Message {
	i := membership.Incarnation{Join: 3, Rejoin: 1, Random: 77}
	run := steal.Instance{Run: steal.Key{1}, First: steal.Submission{Submitter: "p", Nonce: 9}}
	var out []peer.Message
	for _, b := range []membership.Body{
		report{
			Run: run, Stats: PeerStats{Name: "a/1", Jobs: 3}, Master: true, Progress: 0.5,
			Losses: []lossShare{{Peer: "p", Restarted: 1, Saved: 5}},
		},
	} {
		out = append(out, peer.Message{From: i, To: i, Body: b})
	}
	return out
}

func TestWhatIsSaidPastTheMachinesTravels(t *testing.T) {
	seen := map[uint8]bool{}
	for _, m := range pastSamples() {
		data, err := wire.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := messages.Decode(data)
		if err != nil {
			t.Errorf("%T: %v", m.Body, err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("%+v came back as %+v", m, got)
		}
		seen[m.Body.Kind()] = true
	}
	machines := wire.NewCodec()
	for kind := range 256 {
		if k := uint8(kind); messages.Knows(k) && !machines.Knows(k) && !seen[k] {
			t.Errorf("kind %d is not among the samples", kind)
		}
	}
}

// What is said past the machines is read or refused, too; what is read means the same when it is
// written again.
func FuzzMessagePast(f *testing.F) {
	for _, m := range pastSamples() {
		data, err := wire.Encode(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := messages.Decode(data)
		if err != nil {
			return
		}
		again, err := wire.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		n, err := messages.Decode(again)
		if err != nil {
			t.Fatalf("%+v cannot be read again: %v", m, err)
		}
		third, err := wire.Encode(n)
		if err != nil || string(third) != string(again) {
			t.Fatalf("%+v, then %+v, %v", m, n, err)
		}
	})
}
