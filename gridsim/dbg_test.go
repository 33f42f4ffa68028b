package gridsim
import ("testing";"fmt")
func TestDbg(t *testing.T) {
	o := Draw(87)
	w := newWorld(o)
	dbg = w
	r, err := Run(o)
	_ = r
	fmt.Println(err)
	for _, h := range dbg.hosts { if h.up { h.peer.Dump(h.no) } }
}
