package satintest

// Cut loses everything that is sent from one site to another from now on; Heal ends that.
func (n *Network) Cut(from, to string) { n.setCut(from, to, true) }

// Heal lets messages through again.
func (n *Network) Heal(from, to string) { n.setCut(from, to, false) }

func (n *Network) setCut(from, to string, cut bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.cuts[[2]string{from, to}] = cut
}

func (n *Network) isCut(from, to string) bool {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.cuts[[2]string{from, to}]
}
