; Word 8 of the counters grows by the number of lanes.
define void @block(ptr %block, i64 %lanes) {
  call void @ww.counted.add(i32 8, i64 %lanes)
  store i32 1, ptr %block
  ret void
}
declare void @ww.counted.add(i32, i64)

; becomes
define void @block(ptr %block, i64 %lanes) {
  %1 = getelementptr i8, ptr %block, i64 224
  %2 = load i64, ptr %1, align 8, !invariant.load !0
  %cells = inttoptr i64 %2 to ptr
  %3 = getelementptr inbounds i64, ptr %cells, i64 8
  %4 = load i64, ptr %3, align 8, !alias.scope !1
  %5 = add i64 %4, %lanes
  store i64 %5, ptr %3, align 8, !alias.scope !1
  store i32 1, ptr %block, align 4, !noalias !1
  ret void
}

!0 = !{}
!1 = !{!2}
!2 = distinct !{!2, !3, !"cells"}
!3 = distinct !{!3, !"ww.cells"}
