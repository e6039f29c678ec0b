; Four floats at once from p + 4 * i: p is taken for a multiple of 16, which the launch is asked, and i is tested. The
; store to the same place needs no test.
define void @kernel() {
  %p = load i64, ptr addrspace(101) null, align 8
  %t = call i32 @ww.tid.x()
  %i = zext i32 %t to i64
  %offset = shl i64 %i, 2
  %at = add i64 %p, %offset
  %from = inttoptr i64 %at to ptr addrspace(1)
  %v = load float, ptr addrspace(1) %from, align 4, !ww.group !0
  %to = inttoptr i64 %at to ptr addrspace(1)
  store float %v, ptr addrspace(1) %to, align 4, !ww.group !0
  ret void
}
declare i32 @ww.tid.x()

!0 = !{i32 0, i32 4}

; becomes
define void @kernel() {
  %p = load i64, ptr addrspace(101) null, align 8
  %t = call i32 @ww.tid.x()
  %i = zext i32 %t to i64
  %offset = shl i64 %i, 2
  %at = add i64 %p, %offset
  %from = inttoptr i64 %at to ptr addrspace(1)
  %1 = and i64 %offset, 15
  %2 = icmp ne i64 %1, 0
  call void @ww.event(i1 %2, i32 535, i64 %at, i64 0)
  %v = load float, ptr addrspace(1) %from, align 4, !ww.group !0
  %to = inttoptr i64 %at to ptr addrspace(1)
  store float %v, ptr addrspace(1) %to, align 4, !ww.group !0
  ret void
}

!0 = !{i32 0, i32 4}
