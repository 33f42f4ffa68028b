package read

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"strings"

	"github.com/qmuntal/gltf"
)

// decode parses the document and, of a .glb file, finds the binary part.
func (f *gltfFile) decode(data []byte) error {
	text := data
	if bytes.HasPrefix(data, []byte("glTF")) {
		var chunks [][]byte
		if len(data) < 12 || binary.LittleEndian.Uint32(data[4:]) != 2 {
			return f.fault("a glTF binary of another version; expected 2")
		}
		for rest := data[12:]; len(rest) >= 8 && len(chunks) < 2; {
			n := uint64(binary.LittleEndian.Uint32(rest))
			if n > uint64(len(rest)-8) {
				return f.fault("the file ends %d bytes early", n-uint64(len(rest)-8))
			}
			chunks = append(chunks, rest[8:8+n])
			rest = rest[8+n:]
		}
		if len(chunks) == 0 {
			return f.fault("a glTF binary without a part of JSON")
		}
		text = chunks[0]
		if len(chunks) > 1 {
			f.chunk = chunks[1]
		}
	}
	if len(text) > jsonMax {
		return f.fault("%d bytes of JSON; at most %d are read", len(text), jsonMax)
	}
	err := json.Unmarshal(text, &f.doc)
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		return f.faultAt(text, syntax.Offset, "broken JSON: "+syntax.Error())
	case errors.As(err, &kind):
		return f.faultAt(text, kind.Offset, "a "+kind.Value+" for "+clip(kind.Field)+"; expected a "+kind.Type.String())
	case err != nil:
		return f.fault("broken JSON: %v", err)
	case !strings.HasPrefix(f.doc.Asset.Version, "2."):
		return f.fault("glTF version %q; expected 2.0", clip(f.doc.Asset.Version))
	}
	return nil
}

func (f *gltfFile) faultAt(text []byte, offset int64, what string) error {
	offset = max(0, min(offset, int64(len(text))))
	return &Error{File: f.name, Line: 1 + bytes.Count(text[:offset], []byte("\n")), What: what}
}

// buffer is the content of buffer i.
func (f *gltfFile) buffer(i int) ([]byte, error) {
	if b, ok := f.buffers[i]; ok {
		return b, nil
	}
	b, err := at(f, f.doc.Buffers, i, "buffer")
	if err != nil {
		return nil, err
	}
	data := f.chunk
	if _, ok := b.Extensions["EXT_meshopt_compression"]; ok && b.URI == "" {
		// room for what a decoder would put there
		return nil, f.packed("EXT_meshopt_compression")
	}
	if b.URI != "" || i != 0 {
		if data, err = f.resource(b.URI); err != nil {
			return nil, err
		}
	}
	if b.ByteLength < 0 || b.ByteLength > len(data) {
		return nil, f.fault("buffer %d has %d bytes; expected %d", i, len(data), b.ByteLength)
	}
	f.buffers[i] = data[:b.ByteLength]
	return f.buffers[i], nil
}

// resource is the bytes at a URI: within it, or in a file beside the document.
func (f *gltfFile) resource(uri string) ([]byte, error) {
	if strings.HasPrefix(uri, "data:") {
		head, body, ok := strings.Cut(uri, ",")
		if !ok || !strings.HasSuffix(head, ";base64") {
			return nil, f.fault("a data URI %q; expected one in base64", clip(uri))
		}
		data, err := base64.StdEncoding.DecodeString(body)
		if err != nil {
			return nil, f.fault("a data URI that is broken: %v", err)
		}
		return data, nil
	}
	name, err := url.PathUnescape(uri)
	if err != nil || name == "" || strings.Contains(name, "://") {
		return nil, f.fault("a file named %q; expected the name of one beside the scene", clip(uri))
	}
	return bytesOf(beside(f.name, name), f.open)
}

// view is the bytes of a buffer view.
func (f *gltfFile) view(i int) (data []byte, stride int, err error) {
	v, err := at(f, f.doc.BufferViews, i, "buffer view")
	if err != nil {
		return nil, 0, err
	}
	data, err = f.buffer(v.Buffer)
	if err != nil {
		return nil, 0, err
	}
	if v.ByteOffset < 0 || v.ByteLength < 0 || v.ByteOffset > len(data) || v.ByteLength > len(data)-v.ByteOffset || v.ByteStride < 0 || v.ByteStride > 252 {
		return nil, 0, f.fault("buffer view %d is %d bytes from %d; expected within the buffer's %d", i, v.ByteLength, v.ByteOffset, len(data))
	}
	return data[v.ByteOffset:][:v.ByteLength], v.ByteStride, nil
}

// numbers are the elements of accessor i, n numbers each.
func (f *gltfFile) numbers(i, n, most int) ([]float64, error) {
	a, err := at(f, f.doc.Accessors, i, "accessor")
	if err != nil {
		return nil, err
	}
	size := a.ComponentType.ByteSize()
	if a.Type.Components() != n || a.Count < 0 || a.Count > most || size == 0 {
		return nil, f.fault("accessor %d has %d elements of %d numbers; expected %d numbers each and at most %d elements", i, a.Count, a.Type.Components(), n, most)
	}
	out := make([]float64, a.Count*n)
	if a.BufferView != nil {
		got, err := f.elements(i, a, *a.BufferView, a.ByteOffset, a.Count, n)
		if err != nil {
			return nil, err
		}
		out = got
	}
	if s := a.Sparse; s != nil {
		if err := f.sparse(i, a, out, n); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// sparse puts the elements of accessor i that are given one by one where they belong.
func (f *gltfFile) sparse(i int, a *gltf.Accessor, out []float64, n int) error {
	s := a.Sparse
	if s.Count < 0 || s.Count > a.Count {
		return f.fault("accessor %d replaces %d elements of %d; expected at most as many", i, s.Count, a.Count)
	}
	which, err := f.elements(i, &gltf.Accessor{ComponentType: s.Indices.ComponentType}, s.Indices.BufferView, s.Indices.ByteOffset, s.Count, 1)
	if err != nil {
		return err
	}
	values, err := f.elements(i, a, s.Values.BufferView, s.Values.ByteOffset, s.Count, n)
	if err != nil {
		return err
	}
	for k, e := range which {
		if !(e >= 0 && e < float64(a.Count)) {
			return f.fault("accessor %d replaces element %g; expected below %d", i, e, a.Count)
		}
		copy(out[int(e)*n:], values[k*n:(k+1)*n])
	}
	return nil
}

// elements are count elements of n numbers each, as accessor i has them, from a buffer view.
func (f *gltfFile) elements(i int, a *gltf.Accessor, view, offset, count, n int) ([]float64, error) {
	data, stride, err := f.view(view)
	if err != nil {
		return nil, err
	}
	size := a.ComponentType.ByteSize()
	if stride == 0 {
		stride = n * size
	}
	if count > 0 && (size == 0 || offset < 0 || offset > len(data) || (count-1)*stride+n*size > len(data)-offset) {
		return nil, f.fault("accessor %d goes beyond its buffer view of %d bytes", i, len(data))
	}
	out := make([]float64, count*n)
	for e := range count {
		for k := range n {
			x := component(data[offset+e*stride+k*size:], a)
			if !(math.Abs(x) <= numberMax) {
				return nil, f.fault("accessor %d, element %d is %g; expected a number", i, e, x)
			}
			out[e*n+k] = x
		}
	}
	return out, nil
}

// component is one number as an accessor stores it.
func component(b []byte, a *gltf.Accessor) float64 {
	x, top := 0.0, 1.0
	switch a.ComponentType {
	case gltf.ComponentFloat:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(b)))
	case gltf.ComponentByte:
		x, top = float64(int8(b[0])), math.MaxInt8
	case gltf.ComponentUbyte:
		x, top = float64(b[0]), math.MaxUint8
	case gltf.ComponentShort:
		x, top = float64(int16(binary.LittleEndian.Uint16(b))), math.MaxInt16
	case gltf.ComponentUshort:
		x, top = float64(binary.LittleEndian.Uint16(b)), math.MaxUint16
	case gltf.ComponentUint:
		x, top = float64(binary.LittleEndian.Uint32(b)), math.MaxUint32
	}
	if a.Normalized {
		return max(-1, x/top)
	}
	return x
}
