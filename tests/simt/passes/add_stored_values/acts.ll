; Each event takes the value of the store behind it: eight bytes at most, zero-extended; a store of sixteen has two.
define void @kernel(i64 %at, i32 %word, <4 x i32> %row) {
entry:
  %p = inttoptr i64 %at to ptr addrspace(1)
  call void @ww.event(i1 true, i32 event(DeferStore), i64 %at, i64 0)
  call void @ww.shadow_check(i64 0, i64 %at)
  store i32 %word, ptr addrspace(1) %p, align 4
  call void @ww.event(i1 true, i32 event(DeferStore), i64 %at, i64 0)
  store <4 x i32> %row, ptr addrspace(1) %p, align 16
  ret void
}
declare void @ww.event(i1, i32, i64, i64)
declare void @ww.shadow_check(i64, i64)

; becomes
define void @kernel(i64 %at, i32 %word, <4 x i32> %row) {
entry:
  %p = inttoptr i64 %at to ptr addrspace(1)
  call void @ww.shadow_check(i64 0, i64 %at)
  %0 = zext i32 %word to i64
  call void @ww.event(i1 true, i32 147, i64 %at, i64 %0)
  store i32 %word, ptr addrspace(1) %p, align 4
  %1 = bitcast <4 x i32> %row to i128
  %2 = trunc i128 %1 to i64
  call void @ww.event(i1 true, i32 275, i64 %at, i64 %2)
  %3 = lshr i128 %1, 64
  %4 = trunc i128 %3 to i64
  %5 = add i64 %at, 8
  call void @ww.event(i1 true, i32 275, i64 %5, i64 %4)
  store <4 x i32> %row, ptr addrspace(1) %p, align 16
  ret void
}
