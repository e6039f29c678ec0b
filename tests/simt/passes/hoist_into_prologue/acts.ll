; The product needs nothing but the warp's number, which the prologue has: it is computed there, and need not be kept
; across the barrier. The sum needs what was loaded before the barrier, and stays.
define void @warp(ptr %block, i32 %warp) {
prologue:
  br label %start
start:
  %v = load i32, ptr %block
  br label %behind
behind:
  call void @ww.barrier.sync(i32 0, i32 0)
  %rows = mul i32 %warp, 32
  %sum = add i32 %v, %rows
  store i32 %sum, ptr %block
  ret void
}
declare void @ww.barrier.sync(i32, i32)

; becomes
define void @warp(ptr %block, i32 %warp) {
prologue:
  %rows = mul i32 %warp, 32
  br label %start

start:
  %v = load i32, ptr %block, align 4
  br label %behind

behind:
  call void @ww.barrier.sync(i32 0, i32 0)
  %sum = add i32 %v, %rows
  store i32 %sum, ptr %block, align 4
  ret void
}
