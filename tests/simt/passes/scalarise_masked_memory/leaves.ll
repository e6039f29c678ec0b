; AVX-512 scatters words.
define void @f(<16 x i32> %v, <16 x ptr> %p, <16 x i1> %mask) {
  call void @llvm.masked.scatter.v16i32.v16p0(<16 x i32> %v, <16 x ptr> %p, i32 4, <16 x i1> %mask)
  ret void
}
declare void @llvm.masked.scatter.v16i32.v16p0(<16 x i32>, <16 x ptr>, i32 immarg, <16 x i1>)

; stays
