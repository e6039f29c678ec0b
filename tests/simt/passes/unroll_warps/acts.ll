; Two short regions, each of which is laid out once for each of the two warps.
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
  %1 = getelementptr i8, ptr %0, i64 108
  store volatile i32 0, ptr %1, align 4
  %2 = getelementptr i8, ptr %frames, i64 0
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  store i32 1, ptr %0, align 4, !alias.scope !0
  %3 = getelementptr i8, ptr %0, i64 108
  store volatile i32 1, ptr %3, align 4
  %4 = getelementptr i8, ptr %frames, i64 0
  call void @llvm.experimental.noalias.scope.decl(metadata !3)
  %own.i = getelementptr i32, ptr %0, i64 1
  store i32 1, ptr %own.i, align 4, !alias.scope !3
  br label %met0

met0:
  br label %region1

warp1:
  %5 = getelementptr i8, ptr %0, i64 108
  store volatile i32 0, ptr %5, align 4
  %6 = getelementptr i8, ptr %frames, i64 0
  call void @llvm.experimental.noalias.scope.decl(metadata !6)
  store i32 2, ptr %0, align 4, !alias.scope !6
  %7 = getelementptr i8, ptr %0, i64 108
  store volatile i32 1, ptr %7, align 4
  %8 = getelementptr i8, ptr %frames, i64 0
  call void @llvm.experimental.noalias.scope.decl(metadata !9)
  %own.i2 = getelementptr i32, ptr %0, i64 1
  store i32 2, ptr %own.i2, align 4, !alias.scope !9
  br label %met1

met1:
  br label %done
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"first: %block"}
!2 = distinct !{!2, !"first"}
!3 = !{!4}
!4 = distinct !{!4, !5, !"first: %block"}
!5 = distinct !{!5, !"first"}
!6 = !{!7}
!7 = distinct !{!7, !8, !"second: %block"}
!8 = distinct !{!8, !"second"}
!9 = !{!10}
!10 = distinct !{!10, !11, !"second: %block"}
!11 = distinct !{!11, !"second"}
