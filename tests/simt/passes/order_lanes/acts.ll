; Independent-thread mode. The lanes of a warp have one word: none goes on to the store before all have read it.
;; block = 1x32
define void @kernel() {
entry:
  %x = load i64, ptr addrspace(101) null, align 8, !invariant.load !0
  %t = call i32 @ww.tid.x()
  %index = zext i32 %t to i64
  %offset = mul i64 %index, 4
  %at = add i64 %x, %offset
  %p = inttoptr i64 %at to ptr addrspace(1)
  %old = load i32, ptr addrspace(1) %p, align 4
  %new = add i32 %old, 1
  %q = inttoptr i64 %at to ptr addrspace(1)
  store i32 %new, ptr addrspace(1) %q, align 4
  ret void
}
declare i32 @ww.tid.x()

!0 = !{}

; becomes
define void @kernel() {
entry:
  %x = load i64, ptr addrspace(101) null, align 8, !invariant.load !0
  %t = call i32 @ww.tid.x()
  %index = zext i32 %t to i64
  %offset = mul i64 %index, 4
  %at = add i64 %x, %offset
  %p = inttoptr i64 %at to ptr addrspace(1)
  call void @ww.lane_order(i32 0)
  %old = load i32, ptr addrspace(1) %p, align 4
  %new = add i32 %old, 1
  %q = inttoptr i64 %at to ptr addrspace(1)
  call void @ww.lane_order(i32 32)
  store i32 %new, ptr addrspace(1) %q, align 4
  ret void
}

!0 = !{}
