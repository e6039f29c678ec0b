; Word 8 of the counters grows by the number of lanes, and the warp's word by the instructions of its block.
define void @block(ptr %block, i64 %lanes, i32 %warp) {
  call void @ww.counted.add(i32 8, i64 %lanes)
  call void @ww.counted.warp(i32 %warp, i64 5)
  store i32 1, ptr %block
  ret void
}
declare void @ww.counted.add(i32, i64)
declare void @ww.counted.warp(i32, i64)

; becomes
define void @block(ptr %block, i64 %lanes, i32 %warp) {
  %1 = getelementptr i8, ptr %block, i64 224
  %2 = load i64, ptr %1, align 8, !invariant.load !0
  %cells = inttoptr i64 %2 to ptr
  %3 = getelementptr i8, ptr %block, i64 232
  %4 = load i64, ptr %3, align 8, !invariant.load !0
  %warps = inttoptr i64 %4 to ptr
  %5 = getelementptr inbounds i64, ptr %cells, i64 8
  %6 = load i64, ptr %5, align 8, !alias.scope !1, !noalias !4
  %7 = add i64 %6, %lanes
  store i64 %7, ptr %5, align 8, !alias.scope !1, !noalias !4
  %8 = zext i32 %warp to i64
  %9 = getelementptr inbounds i64, ptr %warps, i64 %8
  %10 = load i64, ptr %9, align 8, !alias.scope !4, !noalias !1
  %11 = add i64 %10, 5
  store i64 %11, ptr %9, align 8, !alias.scope !4, !noalias !1
  store i32 1, ptr %block, align 4, !noalias !6
  ret void
}

!0 = !{}
!1 = !{!2}
!2 = distinct !{!2, !3, !"cells"}
!3 = distinct !{!3, !"ww.cells"}
!4 = !{!5}
!5 = distinct !{!5, !3, !"warps"}
!6 = !{!2, !5}
