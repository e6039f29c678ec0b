; Without a barrier there is one region, and nothing is kept.
define void @warp(ptr %block, i32 %warp) {
prologue:
  br label %start

start:
  %rows = mul i32 %warp, 32
  store i32 %rows, ptr %block, align 4
  ret void
}

; stays
