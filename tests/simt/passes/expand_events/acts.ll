; An event becomes a call of the engine, through the table of services. Addresses that are a number and a constant for
; each lane are told as these two, and constant values lie in constant memory; others are passed in memory.
define void @block(ptr %block, <32 x i64> %addresses, <32 x i64> %values) {
  call void @ww.report(ptr %block, i32 0, i32 -1, i32 event(Access), <32 x i64> zeroinitializer, <32 x i64> zeroinitializer, i32 7)
  call void @ww.report(ptr %block, i32 0, i32 -1, i32 event(Access), <32 x i64> %addresses, <32 x i64> %values, i32 7)
  ret void
}
declare void @ww.report(ptr, i32, i32, i32, <32 x i64>, <32 x i64>, i32)

; becomes
@lanes = private unnamed_addr constant <32 x i64> zeroinitializer, align 64

define void @block(ptr %block, <32 x i64> %addresses, <32 x i64> %values) {
  %1 = getelementptr i8, ptr %block, i64 40
  %2 = load ptr, ptr %1, align 8, !invariant.load !0
  %3 = getelementptr i8, ptr %2, i64 432
  %4 = load ptr, ptr %3, align 8, !invariant.load !0
  %event.values = alloca [32 x i64], align 64
  %event.addresses = alloca [32 x i64], align 64
  %5 = getelementptr i8, ptr %block, i64 40
  %6 = load ptr, ptr %5, align 8, !invariant.load !0
  %7 = getelementptr i8, ptr %6, i64 440
  %8 = load ptr, ptr %7, align 8, !invariant.load !0
  call void %8(ptr %block, i32 0, i32 -1, i32 7, i64 0, ptr @lanes, ptr @lanes, i32 7)
  store <32 x i64> %addresses, ptr %event.addresses, align 64
  store <32 x i64> %values, ptr %event.values, align 64
  call void %4(ptr %block, i32 0, i32 -1, i32 7, ptr %event.addresses, ptr %event.values, i32 7)
  ret void
}

!0 = !{}
