; `32 * warp > bound` turns from false to true: later warps have something to do.
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
entry:
  %first = shl i32 %warp, 5
  %bound = load i32, ptr %common, align 4, !invariant.load !0
  %works = icmp ugt i32 %first, %bound
  br i1 %works, label %work, label %end

work:
  store i32 %first, ptr %block, align 4
  br label %end

end:
  ret i32 1
}

!0 = !{}

; stays
