package peer

import (
	"fmt"
	"strings"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/steal"
)

// tellBody is a message as the scripts show it.
func tellBody(b membership.Body) string {
	kind := strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(fmt.Sprintf("%T", b), "peer."), "steal."), "membership.")
	kind = strings.TrimPrefix(kind, "orphan.")
	switch b := b.(type) {
	case steal.Ask:
		return fmt.Sprintf("%s for %d", kind, b.Jobs)
	case steal.Lend:
		return fmt.Sprintf("%s%s%s", kind, tellLent(b.Jobs), tellStamp(b.Best))
	case steal.Return:
		return fmt.Sprintf("%s loan %d: %s%s", kind, b.Number, tellResult(b.Result), tellStamp(b.Best))
	case steal.Returned:
		return fmt.Sprintf("%s %v", kind, b.Numbers)
	case steal.Withdraw:
		return fmt.Sprintf("%s %v", kind, b.Numbers)
	case steal.Probe:
		return fmt.Sprintf("%s %v below %d", kind, b.Numbers, b.Before)
	case steal.Missing:
		return fmt.Sprintf("%s %v", kind, b.Numbers)
	case membership.Hello:
		return fmt.Sprintf("%s %s joined %d.%d", kind, b.Member.ID, b.Member.Incarnation.Join, b.Member.Incarnation.Rejoin)
	case membership.Gone:
		return fmt.Sprintf("%s %s %s", kind, b.Member.ID, b.Member.State)
	case Snapshot:
		return fmt.Sprintf("%s of %d members, %d runs, %d ended", kind, len(b.Members), len(b.Heads), len(b.Ended))
	case Record:
		return fmt.Sprintf("%s epoch %d master %s submissions %d root %q%s", kind, b.Head.Epoch.Number, b.Head.Master, len(b.Head.Submissions), b.Root, tellAsked(b)+tellStamp(b.Best))
	case Submit:
		if b.Joins != (steal.Key{}) {
			brings := ""
			if b.Root != nil {
				brings = fmt.Sprintf(", root %q", b.Root)
			}
			return kind + " for a run that is on" + brings
		}
		return fmt.Sprintf("%s root %q", kind, b.Root)
	case Accepted:
		if b.Safe {
			return kind + ", safe"
		}
	case Answer:
		return fmt.Sprintf("%s %s%s", kind, tellResult(b.Result), tellStamp(b.Best))
	case Keep:
		return fmt.Sprintf("%s %s%s", kind, tellResult(b.Result), tellStamp(b.Best))
	case Claim:
		return fmt.Sprintf("%s epoch %d, %d workers", kind, b.Epoch.Number, b.Workers)
	case Facts:
		return fmt.Sprintf("%s %q", kind, b.Facts)
	case membership.Refused:
		if b.Barred {
			return kind + ", barred"
		}
		return kind
	case Ended:
		return fmt.Sprintf("%s %d", kind, len(b.Submissions))
	case Fail:
		return fmt.Sprintf("%s %s", kind, tellResult(b.Result))
	case orphan.Advert:
		return fmt.Sprintf("%s after %d:%s", kind, b.After, tellChanges(b))
	case orphan.List:
		return fmt.Sprintf("%s of %s, number %d:%s", kind, b.Holder, b.Number, tellList(b))
	case orphan.Versions:
		return fmt.Sprintf("%s of %d lists", kind, len(b.All))
	case orphan.WantList:
		return fmt.Sprintf("%s of %s", kind, b.Holder)
	case orphan.WantResult:
		return fmt.Sprintf("%s %s", kind, tellKey(b.Key))
	case orphan.ResultIs:
		if !b.Found {
			return fmt.Sprintf("%s %s not here", kind, tellKey(b.Key))
		}
		return fmt.Sprintf("%s %s: %s%s", kind, tellKey(b.Key), tellResult(b.Result), tellStamp(b.Best))
	case orphan.Copy:
		return fmt.Sprintf("%s round %d%s%s", kind, b.Round, tellParts(b), tellStamp(b.Best))
	case orphan.Copied:
		return fmt.Sprintf("%s round %d", kind, b.Round)
	case orphan.Will:
		return fmt.Sprintf("%s%s%s", kind, tellBequests(b), tellStamp(b.Best))
	case orphan.Uncovered:
		return fmt.Sprintf("%s %v", kind, b.Loans)
	case orphan.Covered:
		return fmt.Sprintf("%s %v", kind, b.Loans)
	case BestIs:
		return fmt.Sprintf("%s%s", kind, tellStamp(b.Best))
	case Whereabouts:
		var all []membership.PeerID
		for _, h := range b.Hosts {
			all = append(all, h.ID)
		}
		return fmt.Sprintf("%s of %s", kind, all)
	}
	return kind
}

// tellAsked is what a record asks for, and whether the run has its answer.
func tellAsked(r Record) (out string) {
	if r.Head.Answered > 0 && r.Head.Terms.Keep > 0 {
		out = ", answered"
	}
	if r.Confirm > 0 {
		out += ", to be confirmed"
	}
	if r.Leaver {
		out += " by its heir"
	}
	return out
}

// keyNames are the texts that the scripts make keys of.
var keyNames = map[steal.Key]string{}

func keyOf(text string) steal.Key {
	k := steal.KeyOf([]byte(text))
	keyNames[k] = text
	return k
}

func tellKey(k steal.Key) string {
	if name, ok := keyNames[k]; ok {
		return name
	}
	return k.Short()
}

func tellChanges(a orphan.Advert) (out string) {
	for _, c := range a.Changes {
		sign := "+"
		if c.Gone {
			sign = "-"
		}
		out += " " + sign + tellKey(c.Key)
	}
	return out
}

func tellBequests(w orphan.Will) (out string) {
	for _, b := range w.Items {
		out += fmt.Sprintf(" %s %s", tellKey(b.Key), tellResult(b.Result))
		for _, c := range b.Owners {
			out += fmt.Sprintf(" for %s", c.Owner)
		}
	}
	return out
}

func tellParts(c orphan.Copy) (out string) {
	if c.Whole {
		out = ", anew:"
	}
	for _, p := range c.Parts {
		out += fmt.Sprintf(" +%s %s", tellKey(p.Key), tellResult(p.Result))
	}
	for _, k := range c.Gone {
		out += " -" + tellKey(k)
	}
	return out
}

func tellList(l orphan.List) (out string) {
	for _, r := range l.Runs {
		for _, e := range r.Entries {
			out += " " + tellKey(e.Key)
		}
	}
	return out
}

func tellLent(jobs []steal.Lent) (out string) {
	for _, j := range jobs {
		out += fmt.Sprintf(" loan %d %q", j.Number, j.Args)
	}
	return out
}

func tellResult(r steal.Result) string {
	return []string{"", "error ", "panic "}[r.Outcome] + fmt.Sprintf("%q", r.Bytes)
}

func tellStamp(s steal.Stamp) string {
	switch {
	case s.Digest == steal.Key{}:
		return ""
	case s.Value == nil:
		return " naming a best"
	case len(s.Value) > 40:
		return fmt.Sprintf(" with a best of %d bytes", len(s.Value))
	}
	return fmt.Sprintf(" with best %q", s.Value)
}

// tellEffect is an effect, other than a message, as the scripts show it.
func tellEffect(e Effect) string {
	switch e := e.(type) {
	case StartRun:
		return fmt.Sprintf("start run %d, root %q", e.Run, e.Root)
	case EndRun:
		return fmt.Sprintf("end run %d", e.Run)
	case RunOver:
		return fmt.Sprintf("a run has ended: %v", e.How)
	case Execute:
		what := "job"
		if e.IsRoot {
			what = "root"
		}
		return fmt.Sprintf("execute %s %q as borrow %d", what, e.Args, e.Borrow)
	case Withdraw:
		if e.Salvage {
			return fmt.Sprintf("withdraw borrow %d, salvage", e.Borrow)
		}
		return fmt.Sprintf("withdraw borrow %d", e.Borrow)
	case WantWork:
		return fmt.Sprintf("want work of run %d", e.Run)
	case WantParts:
		return "want parts"
	case WantKeys:
		return "want keys"
	case Use:
		return fmt.Sprintf("use %s for %s", tellResult(e.Result), tellKey(e.Key))
	case PutBack:
		if e.Loss > 0 {
			return fmt.Sprintf("put back job %d, of loss %d", e.Ref, e.Loss)
		}
		return fmt.Sprintf("put back job %d", e.Ref)
	case Settle:
		return fmt.Sprintf("settle job %d with %s", e.Ref, tellResult(e.Result))
	case steal.WantJobs:
		return fmt.Sprintf("want %d jobs", e.N)
	case Compare:
		if len(e.Best.Value) > 40 {
			return fmt.Sprintf("compare a best of %d bytes", len(e.Best.Value))
		}
		return fmt.Sprintf("compare the best %q", e.Best.Value)
	case Hear:
		return fmt.Sprintf("hear %q of %s", e.Fact, e.From)
	case membership.Bar:
		if e.Barred {
			return fmt.Sprintf("learns that %s is barred", e.ID)
		}
		return fmt.Sprintf("learns that %s is allowed again", e.ID)
	case membership.Banned:
		return "is barred"
	case Deliver:
		return fmt.Sprintf("deliver %s", tellResult(e.Result))
	case Admitted:
		return "the grid has its submission"
	case NotOn:
		return "there is no such run"
	case CommandDone:
		if e.Failed {
			return fmt.Sprintf("nobody has done command %d", e.Command)
		}
		return fmt.Sprintf("command %d is done", e.Command)
	case Contradiction:
		return "fault: " + e.Text
	case OrderDone:
		if e.Deserted {
			return fmt.Sprintf("order %d is done: nobody is there", e.Order)
		}
		return fmt.Sprintf("order %d is done", e.Order)
	case Left:
		if e.Runs > 0 {
			return fmt.Sprintf("has left, its heir is %q, %d results are lost, %d runs are not held", e.Heir, e.Lost, e.Runs)
		}
		if e.Jobs > 0 {
			return fmt.Sprintf("has left, its heir is %q, %d results are lost, %d jobs are not settled", e.Heir, e.Lost, e.Jobs)
		}
		if e.Lost > 0 {
			return fmt.Sprintf("has left, its heir is %q, %d results are lost", e.Heir, e.Lost)
		}
		if e.Heir == "" {
			return "has left, without an heir"
		}
		return fmt.Sprintf("has left, its heir is %s", e.Heir)
	case Started:
		return fmt.Sprintf("is a member, joined %d", e.Member.Incarnation.Join)
	case Mastered:
		return fmt.Sprintf("sees master %s, epoch %d", e.Master, e.Epoch.Number)
	case membership.Joined:
		return fmt.Sprintf("sees %s", e.Member.ID)
	case membership.Lost:
		return fmt.Sprintf("loses %s (%s)", e.Member.ID, e.Member.How)
	case membership.Rejoined:
		return fmt.Sprintf("rejoins as %d.%d", e.Incarnation.Join, e.Incarnation.Rejoin)
	case membership.Dial:
		return fmt.Sprintf("dial %s", e.ID)
	case Save:
		return "save" + tellSave(e)
	case Forget:
		if e.All {
			return "forget all"
		}
		return "forget the record"
	case KeepEnds:
		return "the ends are to be kept"
	case WantStored:
		return "want what is stored"
	}
	return fmt.Sprintf("%T", e)
}

func tellSave(s Save) (out string) {
	if s.Record != nil {
		out = fmt.Sprintf(" the record of epoch %d", s.Record.Head.Epoch.Number)
		if s.Record.Root != nil {
			out += fmt.Sprintf(" with root %q", s.Record.Root)
		}
	}
	return out + tellParts(orphan.Copy{Parts: s.Results, Gone: s.Gone}) + tellStamp(s.Best)
}
