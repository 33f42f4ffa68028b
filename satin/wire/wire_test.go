package wire

import (
	"reflect"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/satin/peer"
	"satingrid/steal"
)

var codec = NewCodec()

// samples are one message of each kind, with something in every field.
func samples() []peer.Message {
	i := membership.Incarnation{Join: 3, Rejoin: 1, Random: 77}
	member := membership.Member{ID: "p", Incarnation: i, Site: "a", Name: "a/1", Workers: 2, Addrs: []string{"/ip4/1.2.3.4/tcp/1/p2p/p"}, State: membership.Here}
	sub := steal.Submission{Submitter: "p", Nonce: 9}
	run := steal.Instance{Run: steal.Key{1}, First: sub}
	best, root := steal.StampOf([]byte{1}), []byte{1}
	asked := peer.Asked{By: "ann@desk", At: 1_700_000_000, Label: "balls"}
	head := peer.Head{Run: run, Task: "fib", RootDigest: steal.KeyOf(root), RootBytes: 1, Epoch: membership.Epoch{Number: 1, Master: i}, Master: "p", Submissions: []steal.Submission{sub, sub.Kept()},
		Terms: peer.Terms{ResultMax: 5, Verify: 0.5, Share: 7, ShareNo: 3, Keep: 60}, Asked: asked, Seconds: 3, Answered: 2, Progress: 500,
		Contacts: []peer.Contact{{Submitter: "p", Addrs: []string{"/ip4/127.0.0.1/tcp/1"}}}}
	result := steal.Result{Outcome: steal.Value, Choosing: true, Bytes: []byte{7}}
	var out []peer.Message
	for _, b := range []membership.Body{
		membership.Heartbeat{}, membership.Hello{Member: member}, membership.Gone{Member: member}, membership.Ping{}, membership.Pong{},
		membership.PingFor{Target: "q", Incarnation: i}, membership.Alive{Target: "q", Incarnation: i}, membership.Refused{Incarnation: i, Barred: true, Void: true},
		membership.Who{}, membership.Barred{Bars: []membership.Bar{{ID: "x", Counter: 1, Barred: true}}},
		steal.Ask{Of: []steal.Instance{run}, Number: 1, Jobs: 2, Bytes: 3}, steal.Nothing{Number: 1}, steal.Wake{},
		steal.Lend{Run: run, Best: best, Answer: 1, Jobs: []steal.Lent{{Number: 4, Key: steal.Key{4}, Task: "fib", Args: []byte{8}, Verifies: true}}},
		steal.Return{Run: run, Best: best, Number: 4, Result: result}, steal.Returned{Numbers: []steal.LoanNo{4}}, steal.Withdraw{Numbers: []steal.LoanNo{4}},
		steal.Probe{Number: 1, Before: 9, Numbers: []steal.LoanNo{4}}, steal.Missing{Number: 1, Numbers: []steal.LoanNo{4}},
		peer.Pull{}, peer.Snapshot{Members: []membership.Member{member}, Heads: []peer.Head{head}, Ended: []peer.Tombstone{{Submission: sub, Seconds: 3}}, About: 1, Reply: true},
		peer.Digest{Members: 1, Runs: 2, Table: 3}, peer.Fetch{Run: run}, peer.Record{Head: head, Root: root, Best: best, Confirm: 4, Leaver: true},
		peer.Submit{Submission: sub, Run: steal.Key{1}, Task: "fib", RootDigest: steal.KeyOf(root), Root: root, Addrs: []string{"/ip4/127.0.0.1/tcp/1"}, Hops: 1, Asked: asked, Joins: steal.Key{4}},
		peer.Accepted{Nonce: 9, Run: run, Master: "p", Safe: true}, peer.NoRun{Nonce: 9, Rootless: true}, peer.Holds{Run: run, Number: 4},
		peer.Cancel{Run: run, Hops: 1}, peer.Reshare{Run: run, No: 2, Share: 50}, peer.NeedRoot{Nonce: 9}, peer.Answer{Run: run, Nonce: 9, Best: best, Result: result},
		peer.Keep{Run: run, Best: best, Result: result, Seconds: 3}, peer.Kept{Run: run},
		peer.Ended{Submissions: []peer.Tombstone{{Submission: sub}}}, peer.Fail{Run: run, Result: result},
		peer.WantBest{Run: run, Digest: steal.Key{5}}, peer.BestIs{Run: run, Best: best}, peer.HaveBest{Run: run, Digest: steal.Key{5}},
		orphan.Advert{After: 3, Runs: []steal.Instance{run}, Changes: []orphan.Change{{Key: steal.Key{6}, Cost: 9}, {Key: steal.Key{7}, Gone: true}}},
		orphan.Versions{All: []orphan.Version{{Holder: "p", Incarnation: i, Number: 4}}, Settled: []uint64{3}}, orphan.WantList{Holder: "p"},
		orphan.List{Version: orphan.Version{Holder: "p", Incarnation: i, Number: 4}, Runs: []orphan.Listed{{Run: run, Entries: []orphan.Entry{{Key: steal.Key{6}, Cost: 9}}}}},
		orphan.WantResult{Run: run, Key: steal.Key{6}}, orphan.ResultIs{Run: run, Key: steal.Key{6}, Found: true, Best: best, Result: result},
		orphan.Copy{Run: run, Round: 2, Whole: true, Best: best, Parts: []orphan.Part{{Key: steal.Key{6}, Result: result}}, Gone: []steal.Key{{5}}},
		orphan.Copied{Run: run, Round: 2, Sum: 77}, orphan.Uncovered{Run: run, Loans: []steal.LoanNo{4}}, orphan.Covered{Run: run, Loans: []steal.LoanNo{4}},
		orphan.Will{Run: run, Number: 3, Best: best, Items: []orphan.Bequest{{Part: orphan.Part{Key: steal.Key{6}, Result: result}, Orphan: true, Owners: []orphan.KeptFor{{Owner: "p", Incarnation: i, Why: orphan.ForReturn, Loan: 4}}}}},
		orphan.Willed{Number: 3},
		peer.Support{Epochs: []peer.RunEpoch{{Run: run, Epoch: membership.Epoch{Number: 2, Master: i}}}}, peer.Claim{Run: run, Epoch: membership.Epoch{Number: 2, Master: i}, Workers: 3},
		peer.Wanted{Submission: sub, Hops: 1}, peer.Facts{Run: run, Facts: [][]byte{{1}, {2}}}, peer.Full{Nonce: 9},
		peer.Whereabouts{Hosts: []peer.Host{{ID: "q", Site: "a", Addrs: []string{"/ip4/127.0.0.1/tcp/1/p2p/q"}}}},
		peer.Order{Within: time.Second, Heirs: "b", Bound: true}, peer.Late{},
		peer.Progress{Numbers: []steal.LoanNo{4}, Done: []float32{0.5}}, report(i, run),
	} {
		out = append(out, peer.Message{From: i, To: i, Body: b})
	}
	return out
}

func report(i membership.Incarnation, run steal.Instance) peer.Report {
	return peer.Report{
		Run: run, Master: true, Progress: 0.5, Final: true, Number: 4,
		Stats: peer.PeerStats{
			Name: "a/1", Site: "a", State: "here", Workers: 2, Jobs: 3, Aborted: 4, Busy: 5.5, LentNear: 6, LentFar: 7, Again: 8,
			Advertised: 9, Fetched: 10, CopiesSent: 11, CopiesUsed: 12, BytesFar: 13,
		},
		Losses: []peer.LossShare{{
			Peer: "p", Life: peer.LifeOf(i), Name: "b/1", Site: "b", How: membership.Killed, Noticed: time.Second,
			Restarted: 1, Reused: 2, Saved: 3, Spent: 4, Longest: 5, Root: true,
		}},
	}
}

func TestEveryKindOfMessageTravels(t *testing.T) {
	seen := map[uint8]bool{}
	for _, m := range samples() {
		data, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec.Decode(data)
		if err != nil {
			t.Errorf("%T: %v", m.Body, err)
		}
		if !reflect.DeepEqual(got, m) {
			t.Errorf("%+v came back as %+v", m, got)
		}
		seen[m.Body.Kind()] = true
	}
	for _, b := range peer.Bodies() {
		if !codec.Knows(b.Kind()) || !seen[b.Kind()] {
			t.Errorf("%T is not among the samples, or not in the table", b)
		}
	}
	for kind := range len(codec.bodies) {
		if codec.Knows(uint8(kind)) && !seen[uint8(kind)] {
			t.Errorf("kind %d is not among the samples", kind)
		}
	}
}

// Whatever comes in is read or refused; what is read means the same when it is written again.
func FuzzMessage(f *testing.F) {
	for _, m := range samples() {
		data, err := Encode(m)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := codec.Decode(data)
		if err != nil {
			return
		}
		again, err := Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		n, err := codec.Decode(again)
		if err != nil {
			t.Fatalf("%+v cannot be read again: %v", m, err)
		}
		third, err := Encode(n)
		if err != nil || string(third) != string(again) {
			t.Fatalf("%+v, then %+v, %v", m, n, err)
		}
	})
}
