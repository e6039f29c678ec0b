; Every lane has an address.
define <4 x i32> @f(<4 x ptr> %p, <4 x i1> %mask) {
  %got = call <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr> %p, i32 4, <4 x i1> %mask, <4 x i32> zeroinitializer)
  ret <4 x i32> %got
}
declare <4 x i32> @llvm.masked.gather.v4i32.v4p0(<4 x ptr>, i32 immarg, <4 x i1>, <4 x i32>)

; stays
