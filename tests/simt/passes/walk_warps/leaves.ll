; The code of the region stays as it is, inside the program of the block. Warps may stop at different places here: each
; remembers where it is to resume.
; always acts
;; block = 64
;; agree = no
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
  %resume = alloca [2 x i32], align 4
  %walk = alloca i32, align 4
  %low = alloca i32, align 4
  %high = alloca i32, align 4
  br label %region0

done:
  ret void

region0:
  %begin = phi i32 [ 0, %entry ]
  %end = phi i32 [ 2, %entry ]
  br label %warp0

warp0:
  %w = phi i32 [ %begin, %region0 ], [ %8, %warp0 ]
  %least = phi i32 [ 1073741823, %region0 ], [ %6, %warp0 ]
  %greatest = phi i32 [ 0, %region0 ], [ %7, %warp0 ]
  %1 = getelementptr i8, ptr %0, i64 108
  store volatile i32 %w, ptr %1, align 4
  %2 = zext i32 %w to i64
  %3 = mul i64 %2, 0
  %4 = getelementptr i8, ptr %frames, i64 %3
  call void @llvm.experimental.noalias.scope.decl(metadata !0)
  %w.i = zext i32 %w to i64
  %own.i = getelementptr i32, ptr %0, i64 %w.i
  store i32 1, ptr %own.i, align 4, !alias.scope !0
  %5 = getelementptr i32, ptr %resume, i32 %w
  store i32 1073741823, ptr %5, align 4
  %6 = call i32 @llvm.umin.i32(i32 %least, i32 1073741823)
  %7 = call i32 @llvm.umax.i32(i32 %greatest, i32 1073741823)
  %8 = add i32 %w, 1
  %9 = icmp ne i32 %8, %end
  br i1 %9, label %warp0, label %met0

met0:
  %10 = phi i32 [ %6, %warp0 ]
  %11 = phi i32 [ %7, %warp0 ]
  br label %met

met:
  %least1 = phi i32 [ %14, %each ], [ %10, %met0 ]
  %greatest2 = phi i32 [ %15, %each ], [ %11, %met0 ]
  %12 = icmp eq i32 %least1, %greatest2
  br i1 %12, label %together, label %apart

together:
  switch i32 %least1, label %done [
  ]

apart:
  store i32 0, ptr %walk, align 4
  store i32 1073741823, ptr %low, align 4
  store i32 0, ptr %high, align 4
  br label %each

each:
  %13 = load i32, ptr %walk, align 4
  %14 = load i32, ptr %low, align 4
  %15 = load i32, ptr %high, align 4
  %16 = icmp ult i32 %13, 2
  br i1 %16, label %pick, label %met

pick:
  %17 = getelementptr i32, ptr %resume, i32 %13
  %18 = load i32, ptr %17, align 4
  %19 = add i32 %13, 1
  switch i32 %18, label %back [
  ]

back:
  %20 = phi i32 [ 1073741823, %pick ]
  %21 = phi i32 [ 1073741823, %pick ]
  %22 = load i32, ptr %low, align 4
  %23 = call i32 @llvm.umin.i32(i32 %22, i32 %20)
  store i32 %23, ptr %low, align 4
  %24 = load i32, ptr %high, align 4
  %25 = call i32 @llvm.umax.i32(i32 %24, i32 %21)
  store i32 %25, ptr %high, align 4
  %26 = load i32, ptr %walk, align 4
  %27 = add i32 %26, 1
  store i32 %27, ptr %walk, align 4
  br label %each
}

!0 = !{!1}
!1 = distinct !{!1, !2, !"only: %block"}
!2 = distinct !{!2, !"only"}
