; An event becomes a call of the engine, through the table of services. The addresses and values of the lanes are passed
; in memory.
define void @block(ptr %block) {
  call void @ww.report(ptr %block, i32 0, i32 -1, i32 event(Access), <32 x i64> zeroinitializer, <32 x i64> zeroinitializer, i32 7)
  ret void
}
declare void @ww.report(ptr, i32, i32, i32, <32 x i64>, <32 x i64>, i32)

; becomes
define void @block(ptr %block) {
  %event.addresses = alloca [32 x i64], align 64
  %event.values = alloca [32 x i64], align 64
  store <32 x i64> zeroinitializer, ptr %event.addresses, align 64
  store <32 x i64> zeroinitializer, ptr %event.values, align 64
  %1 = getelementptr i8, ptr %block, i64 40
  %2 = load ptr, ptr %1, align 8, !invariant.load !0
  %3 = getelementptr i8, ptr %2, i64 424
  %4 = load ptr, ptr %3, align 8, !invariant.load !0
  call void %4(ptr %block, i32 0, i32 -1, i32 7, ptr %event.addresses, ptr %event.values, i32 7)
  ret void
}

!0 = !{}
