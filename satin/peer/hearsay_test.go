package peer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"satingrid/membership"
	"satingrid/steal"
)

// rumoured is one as a client tells of it.
func rumoured(id membership.PeerID, state membership.State) membership.Member {
	return membership.Member{
		ID: id, State: state, Addrs: []string{"/there"}, Incarnation: membership.Incarnation{Join: 7},
	}
}

// TestJoinThroughClient: those are asked that a client names, and when none has answered it goes on
// alone; so it does at once when it hears of nobody.
func TestJoinThroughClient(t *testing.T) {
	j := newJoiner(joining{})
	j.begin(0)
	does(t, "a client is met", j.contact(0, "client"), "client: Pull")
	here := []membership.Member{
		rumoured("a1", membership.Here), rumoured("me", membership.Here), rumoured("gone", membership.Dead),
	}
	does(t, "it names some", j.named(0, here), "a1: Pull", "client: Pull")
	does(t, "the same again", j.named(ms, here))
	does(t, "one more", j.named(ms, append(here, rumoured("b1", membership.Here))), "b1: Pull", "client: Pull")
	does(t, "again", j.tick(pullEvery+ms), "a1: Pull", "b1: Pull", "client: Pull")
	if j.hearsay.newest != 7 || j.deadline() > hearsayFor {
		t.Errorf("the youngest joined as %d; it goes on at %v", j.hearsay.newest, j.deadline())
	}
	does(t, "nobody answers", j.tick(hearsayFor), "enters alone, all were asked")
	j = newJoiner(joining{})
	j.begin(0)
	does(t, "it hears of nobody", j.named(0, nil), "enters alone, all were asked")
}

// TestHearsayIsBelievedForAWhile: a client that names others all the time, none of whom is there,
// keeps nobody out of the grid. Each of them is asked twice a second.
func TestHearsayIsBelievedForAWhile(t *testing.T) {
	j := newJoiner(joining{})
	j.begin(time.Second)
	j.contact(time.Second, "client")
	var all []membership.Member
	asked := map[string]int{}
	for now := time.Second; now < time.Second+hearsayFor; now += pullEvery / 5 {
		all = append(all, rumoured(membership.PeerID(fmt.Sprint("ghost", len(all))), membership.Here))
		effects := told(j.named(now, all))
		if now >= j.deadline() {
			effects = append(effects, told(j.tick(now))...)
		}
		for _, e := range effects {
			asked[e]++
		}
	}
	if n := asked["ghost0: Pull"]; n != int(hearsayFor/pullEvery) {
		t.Errorf("the first was asked %d times", n)
	}
	if asked["enters alone, all were asked"] > 0 || asked["client: Pull"] < int(hearsayFor/pullEvery) {
		t.Errorf("it has done %v", asked)
	}
	does(t, "still nobody", j.named(time.Second+hearsayFor, all), "enters alone, all were asked")
}

// TestOneAnswersOfThoseNamed: it has its answer, and does not go on alone later.
func TestOneAnswersOfThoseNamed(t *testing.T) {
	j := newJoiner(joining{})
	j.begin(0)
	j.contact(0, "client")
	does(t, "a client names one", j.named(0, []membership.Member{rumoured("a1", membership.Here)}), "a1: Pull", "client: Pull")
	does(t, "there is a session with it", j.contact(ms, "a1"))
	j.letIn(2 * ms)
	if does(t, "it is in", j.tick(hearsayFor)); j.deadline() != steal.Never {
		t.Errorf("it looks again at %v", j.deadline())
	}
}

// TestGoesOnAloneInTime: two seconds after a client has named somebody, whatever was asked in
// between, and whether a connection stands to anybody.
func TestGoesOnAloneInTime(t *testing.T) {
	named := []membership.Member{rumoured("a1", membership.Here)}
	for _, contact := range []membership.PeerID{"", "client", "a1"} {
		j, asked := newJoiner(joining{}), 0
		j.begin(0)
		j.named(0, named)
		if contact != "" {
			j.contact(hearsayFor-pullEvery/2, contact)
		}
		var did []string
		for n, now := 0, time.Duration(0); n < 9 && !slices.Contains(did, "enters alone, all were asked"); n++ {
			now = j.deadline()
			if now > hearsayFor {
				t.Fatalf("it looks again at %v", now)
			}
			did = told(j.tick(now))
			asked += strings.Count(strings.Join(did, " "), "a1: Pull")
			if now < hearsayFor && slices.Contains(did, "enters alone, all were asked") {
				t.Errorf("it goes on alone at %v", now)
			}
		}
		if !slices.Contains(did, "enters alone, all were asked") || contact == "" && asked != 3 {
			t.Errorf("over %q it does %q in the end, and has asked %d times again", contact, did, asked)
		}
	}
}

// TestWhomAClientMayName: whose name is one, with addresses within bounds or none; so many at most,
// and each once. A join number counts as far as a grid may have come.
func TestWhomAClientMayName(t *testing.T) {
	long, many := rumoured("l", membership.Here), rumoured("m", membership.Here)
	long.Addrs = []string{"/" + strings.Repeat("x", membership.AddrBytesMax)}
	many.Addrs = slices.Repeat([]string{"/there"}, membership.AddrsMax+1)
	bare := rumoured("bare", membership.Leaving)
	bare.Addrs = nil
	endless := bare
	endless.ID = membership.PeerID(strings.Repeat("x", membership.IDBytesMax+1))
	longest := bare
	longest.ID = endless.ID[1:]
	j := newJoiner(joining{})
	j.begin(0)
	all := []membership.Member{long, many, endless, rumoured("", membership.Here), rumoured("left", membership.Left), bare, bare, longest}
	does(t, "it names some", j.named(0, all), "bare: Pull", string(longest.ID)+": Pull")
	if addrs, ok := j.hearsay.addrs("bare"); !ok || addrs != nil {
		t.Errorf("bare is at %v, known %v", addrs, ok)
	}
	if _, ok := j.hearsay.addrs("l"); ok {
		t.Error("what is without bounds is kept")
	}
	crowd := make([]membership.Member, membership.SnapshotMax+1)
	for n := range crowd {
		crowd[n] = rumoured(membership.PeerID(fmt.Sprint("x", n)), membership.Here)
		crowd[n].Incarnation.Join = uint64(n)
	}
	j.named(ms, crowd)
	if addrs, ok := j.hearsay.addrs("x0"); !ok || !slices.Equal(addrs, []string{"/there"}) || len(j.hearsay.members) != contactsMax {
		t.Errorf("%d are kept, the first of a crowd at %v", len(j.hearsay.members), addrs)
	}
	if j.hearsay.newest != membership.SnapshotMax-1 {
		t.Errorf("of a snapshot that is too long the youngest joined as %d", j.hearsay.newest)
	}
	crowd[0].Incarnation.Join = 1 << 63
	if j.named(ms, crowd[:1]); j.hearsay.newest != membership.RaiseMax {
		t.Errorf("the youngest joined as %d", j.hearsay.newest)
	}
}

// TestRunOfOneAlone: whether nobody else waits for a run, so that who submits it may say what it
// likes of it.
func TestRunOfOneAlone(t *testing.T) {
	r := &run{waiters: waiters{submissions: []steal.Submission{{Submitter: "c1", Nonce: 1}, {Submitter: "c1", Nonce: 2}}}}
	if !r.isAlonesRun("c1") || r.isAlonesRun("c2") {
		t.Error("it is c1's alone")
	}
	r.submissions = append(r.submissions, steal.Submission{Submitter: "c2", Nonce: 3})
	if r.isAlonesRun("c1") || r.isAlonesRun("c2") {
		t.Error("it is of both")
	}
}
