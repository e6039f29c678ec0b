; An atomic access: other threads see when it happens.
;; block = 128
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %row = load <8 x float>, ptr %block, align 4
  %w = zext i32 %warp to i64
  %own = getelementptr <8 x float>, ptr %frame, i64 %w
  %x = load <8 x float>, ptr %own, align 4
  %y = fmul <8 x float> %x, %row
  %old = atomicrmw add ptr %block, i32 1 monotonic, align 4
  store <8 x float> %y, ptr %own, align 4
  ret i32 1073741823
}

; stays
