; The block and the number of the warp come from the context of the warp's first thread.
define void @kernel.warp(ptr noalias %block, i32 %warp) {
  %p = getelementptr i8, ptr %block, i32 %warp
  store i8 0, ptr %p, align 1
  ret void
}

; becomes
define void @kernel.warp.fiber(ptr %0) {
  %2 = getelementptr i8, ptr %0, i64 0
  %block = load ptr, ptr %2, align 8, !invariant.load !0
  %3 = getelementptr i8, ptr %0, i64 20
  %thread = load i32, ptr %3, align 4, !invariant.load !0
  %4 = lshr i32 %thread, 5
  %p = getelementptr i8, ptr %block, i32 %4
  store i8 0, ptr %p, align 1
  ret void
}

!0 = !{}
