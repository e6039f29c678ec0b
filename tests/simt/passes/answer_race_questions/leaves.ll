; No access of shared memory asks.
define i32 @region(ptr %block, i32 %warp, ptr %frame, ptr %common, ptr %next) {
  store i32 1, ptr %block, align 4
  ret i32 1073741823
}

; stays
