package cdcl

// heap has the variables that are not assigned, and perhaps others, the most active first.
type heap struct {
	list     []uint32
	place    []int32 // by variable: its place in the list, or -1
	activity []float64
}

func (h *heap) init(vars int) {
	h.place = make([]int32, vars)
	for v := range h.place {
		h.place[v] = -1
	}
	h.activity = make([]float64, vars)
}

func (h *heap) insert(v uint32) {
	if h.place[v] >= 0 {
		return
	}
	h.list = append(h.list, v)
	h.place[v] = int32(len(h.list) - 1)
	h.up(len(h.list) - 1)
}

// top is the most active variable.
func (h *heap) top() (uint32, bool) {
	if len(h.list) == 0 {
		return 0, false
	}
	return h.list[0], true
}

func (h *heap) pop() (uint32, bool) {
	if len(h.list) == 0 {
		return 0, false
	}
	top := h.list[0]
	h.place[top] = -1
	last := h.list[len(h.list)-1]
	h.list = h.list[:len(h.list)-1]
	if len(h.list) > 0 {
		h.list[0] = last
		h.place[last] = 0
		h.down(0)
	}
	return top, true
}

// raise moves a variable whose activity grew.
func (h *heap) raise(v uint32) {
	if i := h.place[v]; i >= 0 {
		h.up(int(i))
	}
}

func (h *heap) up(i int) {
	v := h.list[i]
	a := h.activity[v]
	for i > 0 {
		parent := (i - 1) / 2
		u := h.list[parent]
		if h.activity[u] >= a {
			break
		}
		h.list[i] = u
		h.place[u] = int32(i)
		i = parent
	}
	h.list[i] = v
	h.place[v] = int32(i)
}

func (h *heap) down(i int) {
	v := h.list[i]
	a := h.activity[v]
	for {
		child := 2*i + 1
		if child >= len(h.list) {
			break
		}
		if r := child + 1; r < len(h.list) && h.activity[h.list[r]] > h.activity[h.list[child]] {
			child = r
		}
		u := h.list[child]
		if h.activity[u] <= a {
			break
		}
		h.list[i] = u
		h.place[u] = int32(i)
		i = child
	}
	h.list[i] = v
	h.place[v] = int32(i)
}
