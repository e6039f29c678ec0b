; Lane 0 alone has an address. Those of the others are poison, whatever the mask: they become null.
define <4 x i32> @f(ptr %p, <4 x i1> %mask) {
  %one = insertelement <4 x ptr> poison, ptr %p, i64 0
  %got = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %one, i32 4, <4 x i1> %mask, <4 x i32> zeroinitializer)
  ret <4 x i32> %got
}
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32 immarg, <4 x i1>, <4 x i32>)

; becomes
define <4 x i32> @f(ptr %p, <4 x i1> %mask) {
  %one = insertelement <4 x ptr> poison, ptr %p, i64 0
  %1 = shufflevector <4 x ptr> %one, <4 x ptr> zeroinitializer, <4 x i32> <i32 0, i32 5, i32 6, i32 7>
  %got = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %1, i32 4, <4 x i1> %mask, <4 x i32> zeroinitializer)
  ret <4 x i32> %got
}
