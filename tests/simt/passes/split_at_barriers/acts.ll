; Two regions: before and behind the barrier. The loaded value lives across it: the first region leaves it in the frame
; of the warp, the second fetches it. The answer of a region is where to resume, or that the warp is done.
define void @warp(ptr %block, i32 %warp) {
prologue:
  %at = getelementptr i32, ptr %block, i32 %warp
  br label %start
start:
  %v = load i32, ptr %at
  call void @ww.barrier.sync(i32 0, i32 0)
  %more = add i32 %v, 1
  store i32 %more, ptr %at
  ret void
}
declare void @ww.barrier.sync(i32, i32)

; becomes
define internal i32 @block.region(ptr noalias %0, i32 %1, ptr noalias %2, ptr noalias %3, ptr noalias %4) {
prologue:
  %at = getelementptr i32, ptr %0, i32 %1
  br label %start

start:
  %v = load i32, ptr %at, align 4
  %5 = getelementptr inbounds i8, ptr %2, i64 0
  store i32 %v, ptr %5, align 4
  ret i32 1
}

define internal i32 @block.region.1(ptr noalias %0, i32 %1, ptr noalias %2, ptr noalias %3, ptr noalias %4) {
prologue:
  %at = getelementptr i32, ptr %0, i32 %1
  %5 = getelementptr inbounds i8, ptr %2, i64 0
  %6 = load i32, ptr %5, align 4
  br label %resume

resume:
  %more = add i32 %6, 1
  store i32 %more, ptr %at, align 4
  ret i32 1073741823
}
