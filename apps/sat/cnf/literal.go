package cnf

// Index is a literal as the index of a slice: twice the variable, from 0, and one more for its
// negation. So the negation of x is x^1, and its variable x>>1.
func Index(l int32) uint32 {
	if l < 0 {
		return uint32(-l-1)<<1 | 1
	}
	return uint32(l-1) << 1
}

// Literal is the literal that has an index.
func Literal(x uint32) int32 {
	n := int32(x>>1) + 1
	if x&1 != 0 {
		return -n
	}
	return n
}
