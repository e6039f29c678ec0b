; x[threadIdx.x] += 1 in a block of 32 x 8: eight warps have the same words. The store is deferred, so that every warp
; reads what was there before any of them wrote.
;; block = 32x8
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
  %old = load i32, ptr addrspace(1) %p, align 4
  %new = add i32 %old, 1
  %q = inttoptr i64 %at to ptr addrspace(1)
  call void @ww.event(i1 true, i32 262291, i64 %at, i64 0)
  store i32 %new, ptr addrspace(1) %q, align 4
  ret void
}

!0 = !{}
