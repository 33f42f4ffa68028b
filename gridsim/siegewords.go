package gridsim

import (
	"math"
	"reflect"

	"satingrid/membership"
	"satingrid/orphan"
	"satingrid/satin/peer"
	"satingrid/steal"
)

// say lets the hostile host say something to somebody.
func (s *siege) say(to *host) {
	bodies := peer.Bodies()
	if s.conf.Flood {
		to = s.w.who.hosts[0]
	}
	if to == s.hostile || !to.up {
		return
	}
	v := reflect.New(reflect.TypeOf(bodies[s.draw.IntN(len(bodies))])).Elem()
	s.fill(v, 0)
	m := peer.Message{From: s.hostile.peer.Sight().Self().Incarnation, To: to.peer.Sight().Self().Incarnation, Body: v.Interface().(membership.Body)}
	if s.draw.IntN(8) == 0 {
		s.fill(reflect.ValueOf(&m.From).Elem(), 0)
	}
	if s.draw.IntN(4) == 0 {
		m.To = membership.Incarnation{}
	}
	m.Body = s.named(s.spare(m.Body))
	data, err := s.w.net.codec.writer.Encode(m)
	if err != nil {
		return
	}
	read, err := messages.Decode(data)
	if err != nil {
		return // it is hung up on
	}
	s.said++
	s.kinds[read.Body.Kind()]++
	s.w.net.carry(holding{host: s.hostile}, s.hostile, to, packet{message: read, bytes: len(data)})
}

// spare takes out what any member may do by right: barring others, and telling them to leave; and
// what a client may, too: cancelling the runs that are on.
func (s *siege) spare(b membership.Body) membership.Body {
	allow := func(bars []membership.Bar) {
		for n := range bars {
			bars[n].Barred = bars[n].Barred && s.w.who.byID[bars[n].ID] == nil
		}
	}
	switch b := b.(type) {
	case membership.Barred:
		allow(b.Bars)
	case peer.Snapshot:
		allow(b.Bars)
	case membership.Refused:
		b.Barred = false
		return b
	case peer.Cancel:
		if s.w.who.byID[b.Run.First.Submitter] != nil {
			b.Run = steal.Instance{}
		}
		return b
	case peer.Order:
		if !s.conf.Client {
			b.Within = -1
		}
		return b
	}
	return b
}

// named gives a root that travels the digest that it has.
func (s *siege) named(b membership.Body) membership.Body {
	switch b := b.(type) {
	case peer.Record:
		if b.Root, b.Head.RootDigest = s.root(b.Head.RootDigest); s.draw.IntN(2) == 0 {
			b.Head.RootBytes = uint32(len(b.Root))
		}
		return b
	case peer.Submit:
		b.Root, b.RootDigest = s.root(b.RootDigest)
		return b
	}
	return b
}

// root is one with its digest, or none with that one.
func (s *siege) root(digest steal.Key) ([]byte, steal.Key) {
	if s.draw.IntN(3) == 0 {
		return nil, digest
	}
	root := make([]byte, s.draw.IntN(2)*16)
	return root, steal.KeyOf(root)
}

// fill gives a value something well-formed: at a limit, drawn, or seen somewhere.
func (s *siege) fill(v reflect.Value, depth int) {
	if v.Type() == reflect.TypeFor[steal.Stamp]() {
		s.seen(v)
		return
	}
	if s.draw.IntN(2) == 0 && s.seen(v) {
		if v.Kind() == reflect.Struct && v.NumField() > 0 && s.draw.IntN(3) == 0 {
			if f := v.Field(s.draw.IntN(v.NumField())); f.CanSet() {
				s.fill(f, depth+1)
			}
		}
		return
	}
	switch v.Kind() {
	case reflect.Struct:
		for n := range v.NumField() {
			if f := v.Field(n); f.CanSet() {
				s.fill(f, depth+1)
			}
		}
	case reflect.Slice:
		s.fillSlice(v, depth)
	case reflect.Array:
		for n := range v.Len() {
			v.Index(n).SetUint(s.draw.Uint64() & 0xff)
		}
	case reflect.String:
		v.SetString([]string{"", "x", "a", string(make([]byte, 128)), "nobody"}[s.draw.IntN(5)])
	case reflect.Bool:
		v.SetBool(s.draw.IntN(2) == 0)
	case reflect.Float32, reflect.Float64:
		v.SetFloat([]float64{0, 1, -1, math.Inf(1), math.NaN()}[s.draw.IntN(5)])
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt([]int64{0, 1, -1, math.MaxInt64, math.MinInt64}[s.draw.IntN(5)])
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint([]uint64{0, 1, 2, 5, 1 << 20, math.MaxUint32, math.MaxUint64 - 1, math.MaxUint64}[s.draw.IntN(8)])
	}
}

// fillSlice makes a short slice, and now and then a long one.
func (s *siege) fillSlice(v reflect.Value, depth int) {
	n := []int{0, 1, 2, 16}[s.draw.IntN(4)]
	if depth < 2 && s.draw.IntN(16) == 0 {
		n = 300
	}
	if v.Type().Elem().Kind() == reflect.Uint8 && s.draw.IntN(2) == 0 {
		n = 16
	}
	v.Set(reflect.MakeSlice(v.Type(), n, n))
	for k := range n {
		s.fill(v.Index(k), depth+1)
	}
}

// seen puts in what the hostile host can know of the others, where there is such a thing.
func (s *siege) seen(v reflect.Value) bool {
	h := s.w.who.hosts[s.draw.IntN(len(s.w.who.hosts))]
	if h.peer == nil {
		return false
	}
	set := func(x any) bool { v.Set(reflect.ValueOf(x)); return true }
	switch v.Interface().(type) {
	case steal.Stamp:
		value := []byte{byte(s.draw.IntN(3))}
		return set([]steal.Stamp{{}, steal.StampOf(value), {Digest: steal.KeyOf(value)}}[s.draw.IntN(3)])
	case membership.PeerID:
		return set(h.id)
	case membership.Site:
		return set(h.site)
	case membership.Member:
		return set(h.peer.Sight().Self())
	case membership.Incarnation:
		return set(h.peer.Sight().Self().Incarnation)
	case steal.Instance:
		if r := h.plane.runs; len(r) > 0 {
			return set(r[0].instance)
		}
	case steal.Key:
		if r := h.plane.runs; len(r) > 0 {
			return set(r[0].key)
		}
	case steal.Submission:
		if r := h.plane.runs; len(r) > 0 {
			return set(r[0].instance.First)
		}
	case orphan.Version:
		return set(orphan.Version{Holder: h.id, Incarnation: h.peer.Sight().Self().Incarnation, Number: s.draw.Uint64() >> s.draw.IntN(64)})
	}
	return false
}
