; Four warps together: the row is the same for all and is loaded once; each of them has a product and a store of its
; own, and the instructions of the four alternate.
;; block = 128
;; frame bytes = 0
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %row = load <8 x float>, ptr %block, align 4
  %w = zext i32 %warp to i64
  %own = getelementptr <8 x float>, ptr %frame, i64 %w
  %x = load <8 x float>, ptr %own, align 4
  %y = fmul <8 x float> %x, %row
  store <8 x float> %y, ptr %own, align 4
  ret i32 1073741823
}

; becomes
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %1 = add i32 %warp, 1
  %2 = getelementptr inbounds i8, ptr %frame, i64 0
  %3 = add i32 %warp, 2
  %4 = getelementptr inbounds i8, ptr %frame, i64 0
  %5 = add i32 %warp, 3
  %6 = getelementptr inbounds i8, ptr %frame, i64 0
  %row = load <8 x float>, ptr %block, align 4
  %w = zext i32 %warp to i64
  %w1 = zext i32 %1 to i64
  %w2 = zext i32 %3 to i64
  %w3 = zext i32 %5 to i64
  %own = getelementptr <8 x float>, ptr %frame, i64 %w
  %own4 = getelementptr <8 x float>, ptr %2, i64 %w1
  %own5 = getelementptr <8 x float>, ptr %4, i64 %w2
  %own6 = getelementptr <8 x float>, ptr %6, i64 %w3
  %x = load <8 x float>, ptr %own, align 4
  %x7 = load <8 x float>, ptr %own4, align 4
  %x8 = load <8 x float>, ptr %own5, align 4
  %x9 = load <8 x float>, ptr %own6, align 4
  %y = fmul <8 x float> %x, %row
  %y10 = fmul <8 x float> %x7, %row
  %y11 = fmul <8 x float> %x8, %row
  %y12 = fmul <8 x float> %x9, %row
  store <8 x float> %y, ptr %own, align 4
  store <8 x float> %y10, ptr %own4, align 4
  store <8 x float> %y11, ptr %own5, align 4
  store <8 x float> %y12, ptr %own6, align 4
  ret i32 1073741823
}
