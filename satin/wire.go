package satin

import "satingrid/satin/wire"

// messages reads what peers say: what their machines say to each other, and what is said past these, which is about
// what people see and orders that any member could follow alone.
var messages = wire.NewCodec(
	wire.KindOf[report](), wire.KindOf[order](), wire.KindOf[shares](), wire.KindOf[late](),
)
