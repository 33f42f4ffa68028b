package peer

import "fmt"

func (p *Peer) Dump(n int) {
	fmt.Println(n, p.view.Self().State, len(p.view.Others(nil)), p.digest(), "runs", len(p.runs), "graves", len(p.graves.order), "mine", len(p.mine), "held", len(p.held), p.ledger.Lent(), p.ledger.Borrowed())
	for _, r := range p.runs {
		fmt.Printf("  %+v\n", r)
	}
}
