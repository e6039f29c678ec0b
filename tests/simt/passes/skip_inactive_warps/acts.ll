; `32 * warp < bound` can only turn from true to false as the number of the warp grows. A warp for which it is false
; says so in its answer.
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
entry:
  %first = shl i32 %warp, 5
  %bound = load i32, ptr %common, align 4, !invariant.load !0
  %works = icmp ult i32 %first, %bound
  br i1 %works, label %work, label %end

work:
  store i32 %first, ptr %block, align 4
  br label %end

end:
  ret i32 1
}

!0 = !{}

; becomes
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
entry:
  %first = shl i32 %warp, 5
  %bound = load i32, ptr %common, align 4, !invariant.load !0
  %works = icmp ult i32 %first, %bound
  br i1 %works, label %work, label %inactive

work:
  store i32 %first, ptr %block, align 4
  br label %end

end:
  ret i32 1

inactive:
  ret i32 1073741825
}

!0 = !{}
