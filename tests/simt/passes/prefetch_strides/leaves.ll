; Nothing says that this step is long.
define <16 x float> @f(ptr %block, ptr %in, i64 %step, i64 %end) {
entry:
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %p = getelementptr float, ptr %in, i64 %i
  %v = load <16 x float>, ptr %p, align 4
  %next = add i64 %i, %step
  %go = icmp ult i64 %next, %end
  br i1 %go, label %loop, label %done

done:
  ret <16 x float> %v
}

; The load does not depend on the step alone: each pass looks its place up.
define <16 x float> @g(ptr %block, ptr %in, ptr %places, i64 %end) {
entry:
  %at = getelementptr i8, ptr %block, i64 60
  %blocks = load i32, ptr %at, align 4, !invariant.load !0
  %step = zext i32 %blocks to i64
  br label %loop

loop:
  %i = phi i64 [ 0, %entry ], [ %next, %loop ]
  %q = getelementptr i64, ptr %places, i64 %i
  %place = load i64, ptr %q, align 8
  %p = getelementptr float, ptr %in, i64 %place
  %v = load <16 x float>, ptr %p, align 4
  %next = add i64 %i, %step
  %go = icmp ult i64 %next, %end
  br i1 %go, label %loop, label %done

done:
  ret <16 x float> %v
}

!0 = !{}

; stays
