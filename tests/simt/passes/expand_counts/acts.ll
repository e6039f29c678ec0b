; Word 8 of the counters grows by the number of lanes, and the warp's word by the instructions of its block. Marks of
; compact code become calls of functions with their additions. Addresses that are a number and a constant for each lane
; are told as these two, the same one for all lanes as that number alone.
define void @block(ptr %block, i64 %lanes, i32 %warp, i32 %mask, i64 %base) {
  call void @ww.counted.add(i32 8, i64 %lanes)
  call void @ww.counted.warp(i32 %warp, i64 5)
  store i32 1, ptr %block
  call void @ww.counted.block(i32 1, i64 5, i32 %warp, i32 -1)
  call void @ww.counted.guard(i32 2, i32 0, i32 %mask, i32 -1)
  %first = insertelement <32 x i64> poison, i64 %base, i64 0
  %splat = shufflevector <32 x i64> %first, <32 x i64> poison, <32 x i32> zeroinitializer
  call void @ww.counted.access(i32 3, i32 2, i32 %warp, i32 %mask, <32 x i64> %splat)
  %apart = add <32 x i64> %splat, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  call void @ww.counted.access(i32 4, i32 2, i32 %warp, i32 %mask, <32 x i64> %apart)
  ret void
}
declare void @ww.counted.add(i32, i64)
declare void @ww.counted.warp(i32, i64)
declare void @ww.counted.block(i32, i64, i32, i32)
declare void @ww.counted.guard(i32, i32, i32, i32)
declare void @ww.counted.access(i32, i32, i32, i32, <32 x i64>)

; becomes
@lanes = private unnamed_addr constant <32 x i64> <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>, align 64

define void @block(ptr %block, i64 %lanes, i32 %warp, i32 %mask, i64 %base) {
  %1 = getelementptr i8, ptr %block, i64 40
  %2 = load ptr, ptr %1, align 8, !invariant.load !0
  %3 = getelementptr i8, ptr %2, i64 456
  %4 = load ptr, ptr %3, align 8, !invariant.load !0
  %5 = getelementptr i8, ptr %block, i64 256
  %6 = load i64, ptr %5, align 8, !invariant.load !0
  %cells = inttoptr i64 %6 to ptr
  %7 = getelementptr i8, ptr %block, i64 264
  %8 = load i64, ptr %7, align 8, !invariant.load !0
  %warps = inttoptr i64 %8 to ptr
  %9 = getelementptr inbounds i64, ptr %cells, i64 8
  %10 = load i64, ptr %9, align 8, !alias.scope !1, !noalias !4
  %11 = add i64 %10, %lanes
  store i64 %11, ptr %9, align 8, !alias.scope !1, !noalias !4
  %12 = zext i32 %warp to i64
  %13 = getelementptr inbounds i64, ptr %warps, i64 %12
  %14 = load i64, ptr %13, align 8, !alias.scope !4, !noalias !1
  %15 = add i64 %14, 5
  store i64 %15, ptr %13, align 8, !alias.scope !4, !noalias !1
  store i32 1, ptr %block, align 4, !noalias !6
  call void @count.block(ptr %block, i32 1, i64 5, i32 %warp, i32 -1)
  call void @count.guard(ptr %block, i32 2, i32 0, i32 %mask, i32 -1)
  %first = insertelement <32 x i64> poison, i64 %base, i64 0
  %splat = shufflevector <32 x i64> %first, <32 x i64> poison, <32 x i32> zeroinitializer
  call void %4(ptr %block, i32 %warp, i32 %mask, i32 3, i32 2, i64 %base, ptr null), !noalias !6
  %apart = add <32 x i64> %splat, <i64 0, i64 4, i64 8, i64 12, i64 16, i64 20, i64 24, i64 28, i64 32, i64 36, i64 40, i64 44, i64 48, i64 52, i64 56, i64 60, i64 64, i64 68, i64 72, i64 76, i64 80, i64 84, i64 88, i64 92, i64 96, i64 100, i64 104, i64 108, i64 112, i64 116, i64 120, i64 124>
  call void %4(ptr %block, i32 %warp, i32 %mask, i32 4, i32 2, i64 %base, ptr @lanes), !noalias !6
  ret void
}

define internal void @count.block(ptr %0, i32 %1, i64 %2, i32 %3, i32 %4) {
entry:
  %5 = zext i32 %1 to i64
  %6 = mul i64 %5, 8
  %7 = getelementptr i8, ptr %0, i64 256
  %8 = load i64, ptr %7, align 8, !invariant.load !0
  %cells = inttoptr i64 %8 to ptr
  %9 = getelementptr inbounds i64, ptr %cells, i64 %6
  %10 = getelementptr inbounds i64, ptr %9, i64 0
  %11 = load i64, ptr %10, align 8, !alias.scope !1, !noalias !4
  %12 = add i64 %11, 1
  store i64 %12, ptr %10, align 8, !alias.scope !1, !noalias !4
  %13 = call i32 @llvm.ctpop.i32(i32 %4)
  %14 = zext i32 %13 to i64
  %15 = getelementptr inbounds i64, ptr %9, i64 1
  %16 = load i64, ptr %15, align 8, !alias.scope !1, !noalias !4
  %17 = add i64 %16, %14
  store i64 %17, ptr %15, align 8, !alias.scope !1, !noalias !4
  %18 = getelementptr i8, ptr %0, i64 264
  %19 = load i64, ptr %18, align 8, !invariant.load !0
  %warps = inttoptr i64 %19 to ptr
  %20 = zext i32 %3 to i64
  %21 = getelementptr inbounds i64, ptr %warps, i64 %20
  %22 = load i64, ptr %21, align 8, !alias.scope !4, !noalias !1
  %23 = add i64 %22, %2
  store i64 %23, ptr %21, align 8, !alias.scope !4, !noalias !1
  ret void
}

define internal void @count.guard(ptr %0, i32 %1, i32 %2, i32 %3, i32 %4) {
entry:
  %5 = zext i32 %1 to i64
  %6 = mul i64 %5, 8
  %7 = getelementptr i8, ptr %0, i64 256
  %8 = load i64, ptr %7, align 8, !invariant.load !0
  %cells = inttoptr i64 %8 to ptr
  %9 = getelementptr inbounds i64, ptr %cells, i64 %6
  %10 = icmp ne i32 %3, 0
  %11 = zext i1 %10 to i32
  %12 = or i32 %2, %11
  %13 = zext i32 %12 to i64
  %14 = getelementptr inbounds i64, ptr %9, i64 2
  %15 = load i64, ptr %14, align 8, !alias.scope !1, !noalias !4
  %16 = add i64 %15, %13
  store i64 %16, ptr %14, align 8, !alias.scope !1, !noalias !4
  %17 = call i32 @llvm.ctpop.i32(i32 %3)
  %18 = zext i32 %17 to i64
  %19 = getelementptr inbounds i64, ptr %9, i64 3
  %20 = load i64, ptr %19, align 8, !alias.scope !1, !noalias !4
  %21 = add i64 %20, %18
  store i64 %21, ptr %19, align 8, !alias.scope !1, !noalias !4
  %22 = icmp ne i32 %3, %4
  %23 = zext i1 %22 to i32
  %24 = and i32 %11, %23
  %25 = zext i32 %24 to i64
  %26 = getelementptr inbounds i64, ptr %9, i64 4
  %27 = load i64, ptr %26, align 8, !alias.scope !1, !noalias !4
  %28 = add i64 %27, %25
  store i64 %28, ptr %26, align 8, !alias.scope !1, !noalias !4
  ret void
}

!0 = !{}
!1 = !{!2}
!2 = distinct !{!2, !3, !"cells"}
!3 = distinct !{!3, !"ww.cells"}
!4 = !{!5}
!5 = distinct !{!5, !3, !"warps"}
!6 = !{!2, !5}
