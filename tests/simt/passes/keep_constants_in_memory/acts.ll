; A number for each lane is loaded where it is used. A shift, zeros and ones stay as they are.
;; many = 2
define <4 x i32> @f(<4 x i32> %x) {
  %a = add <4 x i32> %x, <i32 1, i32 2, i32 3, i32 4>
  %b = mul <4 x i32> %a, <i32 7, i32 7, i32 7, i32 7>
  %c = shl <4 x i32> %b, <i32 2, i32 2, i32 2, i32 2>
  %d = xor <4 x i32> %c, <i32 -1, i32 -1, i32 -1, i32 -1>
  %p = icmp eq <4 x i32> %d, zeroinitializer
  %e = select <4 x i1> %p, <4 x i32> %d, <4 x i32> <i32 1, i32 2, i32 3, i32 4>
  ret <4 x i32> %e
}

; becomes
@constant = private unnamed_addr constant <4 x i32> <i32 1, i32 2, i32 3, i32 4>, align 64
@constant.1 = private unnamed_addr constant <4 x i32> <i32 7, i32 7, i32 7, i32 7>, align 64

define <4 x i32> @f(<4 x i32> %x) {
  %1 = load <4 x i32>, ptr @constant, align 64, !invariant.load !0
  %a = add <4 x i32> %x, %1
  %2 = load <4 x i32>, ptr @constant.1, align 64, !invariant.load !0
  %b = mul <4 x i32> %a, %2
  %c = shl <4 x i32> %b, <i32 2, i32 2, i32 2, i32 2>
  %d = xor <4 x i32> %c, <i32 -1, i32 -1, i32 -1, i32 -1>
  %p = icmp eq <4 x i32> %d, zeroinitializer
  %3 = load <4 x i32>, ptr @constant, align 64, !invariant.load !0
  %e = select <4 x i1> %p, <4 x i32> %d, <4 x i32> %3
  ret <4 x i32> %e
}

!0 = !{}
