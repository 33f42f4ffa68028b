#include "go_asm.h"
#include "textflag.h"

// The same operations in the same order as marchPlain and triangle, on four boxes and four
// triangles at a time: products, sums and quotients of floats round alike one by one and four at a
// time, and none are fused.
//
// Where a ray and a place of the tree are:
//	X6, X7, X8     the ray's origin, four times each
//	X9, X10, X11   one over its direction (its direction in a leaf)
//	X12            how far to look
//	X13, X15, far  beyond, four times each (1 in a leaf, free)
//	X14            0
//	SI ray, R8 nodes, R10 top of the stack, above which there is nothing
//	R9, R11, R12   where in the first node the sides are that the ray meets first
//	R13, DI, R15   and last
// From a node to the next one it takes what these operations take one after the other, so that none
// is on that way that could stand beside it.

#define SIDES(axis, near, far) \
	MOVL (ray_inv+4*axis)(SI), near \
	SHRL $31, near                  \
	IMULQ $48, near                 \
	MOVL $(48+16*axis), far         \
	SUBQ near, far                  \
	ADDQ $(16*axis), near           \
	ADDQ R8, near                   \
	ADDQ R8, far

#define TOWARDS \
	VBROADCASTSS (ray_inv+0)(SI), X9  \
	VBROADCASTSS (ray_inv+4)(SI), X10 \
	VBROADCASTSS (ray_inv+8)(SI), X11 \
	VBROADCASTSS (ray_beyond+0)(SI), X13 \
	VBROADCASTSS (ray_beyond+4)(SI), X15

#define FROM \
	VBROADCASTSS (ray_o+0)(SI), X6 \
	VBROADCASTSS (ray_o+4)(SI), X7 \
	VBROADCASTSS (ray_o+8)(SI), X8

// ORDER puts the smaller of two places first.
#define ORDER(a, b) \
	MOVQ a, R14      \
	CMPQ a, b        \
	CMOVQHI b, a     \
	CMOVQHI R14, b

// PUSH keeps a place if there is one.
#define PUSH(p) \
	MOVQ p, (R10)        \
	CMPQ R14, p          \
	SBBQ p, p            \
	LEAQ 8(R10)(p*8), R10

// func marchQuick(r *ray, nodes *node, packs *pack, stack *place, top int, anyDoes bool) (left int,
// c child)
TEXT ·marchQuick(SB), NOSPLIT, $48-60
	MOVQ r+0(FP), SI
	MOVQ nodes+8(FP), R8
	MOVQ stack+24(FP), R10
	MOVQ top+32(FP), AX
	LEAQ (R10)(AX*8), R10
	SIDES(0, R9, R13)
	SIDES(1, R11, DI)
	SIDES(2, R12, R15)
	FROM
	TOWARDS
	VBROADCASTSS ray_t(SI), X12
	VBROADCASTSS (ray_beyond+8)(SI), X0
	VMOVUPS X0, far-48(SP)
	VXORPS X14, X14, X14

pop:
	SUBQ $8, R10
	MOVL 4(R10), BX
	MOVLQSX (R10), AX
	CMPL BX, ray_t(SI)
	JHI pop

visit:
	TESTQ AX, AX
	JLT leaf
	SHLQ $7, AX
	LEAQ (R8)(AX*1), BX
	VMOVUPS (AX)(R9*1), X0
	VMOVUPS (AX)(R11*1), X1
	VMOVUPS (AX)(R12*1), X2
	VMOVUPS (AX)(R13*1), X3
	VMOVUPS (AX)(DI*1), X4
	VMOVUPS (AX)(R15*1), X5
	VSUBPS X6, X0, X0
	VSUBPS X7, X1, X1
	VSUBPS X8, X2, X2
	VSUBPS X6, X3, X3
	VSUBPS X7, X4, X4
	VSUBPS X8, X5, X5
	VMULPS X9, X0, X0
	VMULPS X10, X1, X1
	VMULPS X11, X2, X2
	VMULPS X13, X3, X3
	VMULPS X15, X4, X4
	VMULPS far-48(SP), X5, X5
	VPMAXSD X14, X2, X2 // as whole numbers, in a quarter of the time that floats take
	VPMAXSD X1, X0, X0
	VPMAXSD X2, X0, X0
	VPMINSD X12, X5, X5
	VPMINSD X4, X3, X3
	VPMINSD X5, X3, X3
	VPCMPGTD X3, X0, X3 // missed: the far side is nearer
	VMOVMSKPS X3, CX
	XORL $15, CX
	JEQ pop
	LEAL -1(CX), DX
	TESTL CX, DX
	JNE several
	BSFL CX, CX
	MOVLQSX node_child(BX)(CX*4), AX
	JMP visit

several:
	VMOVUPS node_child(BX), X1
	VPSRLD $1, X3, X3
	VORPS X3, X0, X0
	VPUNPCKLDQ X0, X1, X2
	VPUNPCKHDQ X0, X1, X3
	VMOVQ X2, AX
	VPEXTRQ $1, X2, BX
	VMOVQ X3, CX
	VPEXTRQ $1, X3, DX
	ORDER(AX, BX)
	ORDER(CX, DX)
	ORDER(AX, CX)
	ORDER(BX, DX)
	ORDER(BX, CX)
	MOVQ $const_lastPlace, R14
	PUSH(DX)
	PUSH(CX)
	PUSH(BX)
	MOVLQSX AX, AX
	JMP visit

leaf:
	NOTL AX
	MOVL AX, DX
	ANDL $31, DX
	CMPL DX, $const_oddLeaf
	JGE out
	SHRL $5, AX
	IMULQ $pack__size, AX
	MOVQ packs+16(FP), BX
	ADDQ AX, BX
	VBROADCASTSS (ray_d+0)(SI), X9
	VBROADCASTSS (ray_d+4)(SI), X10
	VBROADCASTSS (ray_d+8)(SI), X11
	VPCMPEQD X13, X13, X13
	VPSRLD $25, X13, X13
	VPSLLD $23, X13, X13

pack:
	// p = d × e2
	VMOVUPS (pack_e2+0)(BX), X0
	VMOVUPS (pack_e2+16)(BX), X1
	VMOVUPS (pack_e2+32)(BX), X2
	VMULPS X2, X10, X3
	VMULPS X1, X11, X4
	VSUBPS X4, X3, X3
	VMULPS X0, X11, X4
	VMULPS X2, X9, X5
	VSUBPS X5, X4, X4
	VMULPS X1, X9, X5
	VMULPS X0, X10, X15
	VSUBPS X15, X5, X5
	// X0 = 1 / e1·p
	VMULPS (pack_e1+0)(BX), X3, X0
	VMULPS (pack_e1+16)(BX), X4, X1
	VADDPS X1, X0, X0
	VMULPS (pack_e1+32)(BX), X5, X1
	VADDPS X1, X0, X0
	VDIVPS X0, X13, X0
	// (X1, X2, X15) = s = o - v0
	VSUBPS (pack_v0+0)(BX), X6, X1
	VSUBPS (pack_v0+16)(BX), X7, X2
	VSUBPS (pack_v0+32)(BX), X8, X15
	// X3 = u = s·p / e1·p
	VMULPS X1, X3, X3
	VMULPS X2, X4, X4
	VADDPS X4, X3, X3
	VMULPS X15, X5, X5
	VADDPS X5, X3, X3
	VMULPS X0, X3, X3
	VCMPPS $2, X3, X14, X5
	VCMPPS $2, X13, X3, X4
	VANDPS X4, X5, X5
	VMOVMSKPS X5, CX
	TESTL CX, CX
	JEQ next
	// (X6, X7, X8) = q = s × e1
	VMULPS (pack_e1+32)(BX), X2, X6
	VMULPS (pack_e1+16)(BX), X15, X4
	VSUBPS X4, X6, X6
	VMULPS (pack_e1+0)(BX), X15, X7
	VMULPS (pack_e1+32)(BX), X1, X4
	VSUBPS X4, X7, X7
	VMULPS (pack_e1+16)(BX), X1, X8
	VMULPS (pack_e1+0)(BX), X2, X4
	VSUBPS X4, X8, X8
	// X1 = v = d·q / e1·p
	VMULPS X6, X9, X1
	VMULPS X7, X10, X2
	VADDPS X2, X1, X1
	VMULPS X8, X11, X2
	VADDPS X2, X1, X1
	VMULPS X0, X1, X1
	VCMPPS $2, X1, X14, X2
	VANDPS X2, X5, X5
	VADDPS X1, X3, X2
	VCMPPS $2, X13, X2, X2
	VANDPS X2, X5, X5
	// X0 = t = e2·q / e1·p
	VMULPS (pack_e2+0)(BX), X6, X6
	VMULPS (pack_e2+16)(BX), X7, X7
	VADDPS X7, X6, X6
	VMULPS (pack_e2+32)(BX), X8, X8
	VADDPS X8, X6, X6
	VMULPS X0, X6, X0
	VCMPPS $1, X0, X14, X2
	VANDPS X2, X5, X5
	VCMPPS $1, X12, X0, X2
	VANDPS X2, X5, X5
	FROM
	VMOVMSKPS X5, CX
	TESTL CX, CX
	JEQ next
	// The nearest of those met, and of several as near the first: as whole numbers, where those
	// missed are beyond all.
	VPCMPEQD X4, X4, X4
	VPXOR X5, X4, X4
	VPSRLD $1, X4, X4
	VPAND X5, X0, X0
	VPOR X4, X0, X0
	VPSHUFD $0x4e, X0, X4
	VPMINSD X4, X0, X2
	VPSHUFD $0xb1, X2, X4
	VPMINSD X4, X2, X12
	VPCMPEQD X12, X0, X0
	VMOVMSKPS X0, CX
	BSFL CX, CX
	VMOVUPS X3, us-32(SP)
	VMOVUPS X1, vs-16(SP)
	MOVL us-32(SP)(CX*4), AX
	MOVL AX, ray_u(SI)
	MOVL vs-16(SP)(CX*4), AX
	MOVL AX, ray_v(SI)
	MOVL pack_id(BX)(CX*4), AX
	MOVL AX, ray_id(SI)
	VMOVSS X12, ray_t(SI)
	MOVBLZX anyDoes+40(FP), AX
	TESTL AX, AX
	JNE met

next:
	ADDQ $pack__size, BX
	DECL DX
	JNE pack
	TOWARDS
	JMP pop

met:
	MOVL $~const_nothing, AX

out:
	NOTL AX
	SUBQ stack+24(FP), R10
	SHRQ $3, R10
	MOVQ R10, left+48(FP)
	MOVL AX, c+56(FP)
	RET
