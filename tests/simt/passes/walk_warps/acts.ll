; A loop over the warps for each region. All warps end a region at the same place: the answer of the last one holds for
; all.
;; block = 64
define internal i32 @first(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %w = zext i32 %warp to i64
  %own = getelementptr i32, ptr %block, i64 %w
  store i32 1, ptr %own, align 4
  ret i32 1
}
define internal i32 @second(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %w = zext i32 %warp to i64
  %own = getelementptr i32, ptr %block, i64 %w
  store i32 2, ptr %own, align 4
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

region1:
  br label %warp1

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
  br label %region1

warp1:
  %w1 = phi i32 [ 0, %region1 ], [ %11, %warp1 ]
  %7 = getelementptr i8, ptr %0, i64 108
  store volatile i32 %w1, ptr %7, align 4
  %8 = zext i32 %w1 to i64
  %9 = mul i64 %8, 0
  %10 = getelementptr i8, ptr %frames, i64 %9
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  %w.i2 = zext i32 %w1 to i64
  %own.i3 = getelementptr i32, ptr %0, i64 %w.i2
  store i32 2, ptr %own.i3, align 4, !alias.scope !3
  %11 = add i32 %w1, 1
  %12 = icmp ne i32 %11, 2
  br i1 %12, label %warp1, label %met1

met1:
  br label %done
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"first: %block"}
!2 = distinct !{!2, !"first"}
!3 = !{!4}
!4 = distinct !{!4, !5, !"second: %block"}
!5 = distinct !{!5, !"second"}
