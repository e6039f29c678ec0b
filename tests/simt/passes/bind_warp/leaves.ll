; Arithmetic stays as it is. The function itself is always another one: it takes the context of its first thread.
; always acts
define void @kernel.warp(ptr noalias %block, i32 %warp) {
  %x = add i32 1, 2
  ret void
}

; becomes
define void @kernel.warp.fiber(ptr %0) {
  %2 = getelementptr i8, ptr %0, i64 0
  %block = load ptr, ptr %2, align 8, !invariant.load !0
  %3 = getelementptr i8, ptr %0, i64 20
  %thread = load i32, ptr %3, align 4, !invariant.load !0
  %4 = lshr i32 %thread, 5
  %x = add i32 1, 2
  ret void
}

!0 = !{}
