; A sum whose result is not used is marked. The load behind it may find the same word: the sums of that place are
; flushed before it.
define void @kernel(i64 %address) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %now = load i32, ptr addrspace(1) %p
  %q = inttoptr i64 64 to ptr addrspace(3)
  store i32 %now, ptr addrspace(3) %q
  ret void
}

; becomes
define void @kernel(i64 %address) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4, !ww.privatised !0
  call void @ww.flush_sums.at(i64 %address)
  %now = load i32, ptr addrspace(1) %p, align 4
  %q = inttoptr i64 64 to ptr addrspace(3)
  store i32 %now, ptr addrspace(3) %q, align 4
  ret void
}

!0 = !{}
