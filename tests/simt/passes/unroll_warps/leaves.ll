; A kernel without a barrier is one region: a loop over the warps. (What this harness shows is the walk over the warps,
; where the decision is seen.)
; always acts
;; block = 64
define internal i32 @only(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %w = zext i32 %warp to i64
  %own = getelementptr i32, ptr %block, i64 %w
  store i32 1, ptr %own, align 4
  ret i32 1073741823
}

; becomes
define void @block(ptr noalias %0) {
entry:
  %frames = alloca [1 x i8], align 64
  %common = alloca [1 x i8], align 64
  %next = alloca [1 x i8], align 64
  br label %region0

done:
  ret void

region0:
  br label %warp0

warp0:
  %w = phi i32 [ 0, %region0 ], [ %5, %warp0 ]
  %1 = getelementptr i8, ptr %0, i64 108
  store volatile i32 %w, ptr %1, align 4
  %2 = zext i32 %w to i64
  %3 = mul i64 %2, 0
  %4 = getelementptr i8, ptr %frames, i64 %3
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %w.i = zext i32 %w to i64
  %own.i = getelementptr i32, ptr %0, i64 %w.i
  store i32 1, ptr %own.i, align 4, !alias.scope !0
  %5 = add i32 %w, 1
  %6 = icmp ne i32 %5, 2
  br i1 %6, label %warp0, label %met0

met0:
  br label %done
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"only: %block"}
!2 = distinct !{!2, !"only"}
