; Without a barrier the whole program of the warp is one region.
; always acts
define void @warp(ptr %block, i32 %warp) {
prologue:
  %at = getelementptr i32, ptr %block, i32 %warp
  br label %start
start:
  store i32 1, ptr %at
  ret void
}

; becomes
define internal i32 @block.region(ptr noalias %0, i32 %1, ptr noalias %2, ptr noalias %3, ptr noalias %4) {
prologue:
  %at = getelementptr i32, ptr %0, i32 %1
  br label %start

start:
  store i32 1, ptr %at, align 4
  ret i32 1073741823
}
