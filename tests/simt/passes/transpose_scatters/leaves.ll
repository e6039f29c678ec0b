; The scatters of four warps: too few for a row of eight words.
define void @region(<8 x i32> %v0, <8 x ptr> %p0, <8 x i32> %v1, <8 x ptr> %p1, <8 x i32> %v2, <8 x ptr> %p2, <8 x i32> %v3, <8 x ptr> %p3) {
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v0, <8 x ptr> %p0, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v1, <8 x ptr> %p1, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v2, <8 x ptr> %p2, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v3, <8 x ptr> %p3, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  ret void
}
declare void @llvm.masked.scatter.v8i32.v8p0(<8 x i32>, <8 x ptr>, i32 immarg, <8 x i1>)

; stays
