; Sums of floats whose results are not used are logged. The load behind them may find the same word: what is pending of
; that place is flushed before it. A sum of integers may happen at any time: it has no part in it.
define void @kernel(i64 %address, float %x) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  %old = atomicrmw volatile fadd ptr addrspace(1) %p, float %x monotonic, !ww.ftz !0
  %count = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic
  %now = load i32, ptr addrspace(1) %p
  %q = inttoptr i64 64 to ptr addrspace(3)
  store i32 %now, ptr addrspace(3) %q
  %shared = atomicrmw fadd ptr addrspace(3) %q, float %x monotonic
  ret void
}

!0 = !{}

; becomes
define void @kernel(i64 %address, float %x) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  %old = atomicrmw volatile fadd ptr addrspace(1) %p, float %x monotonic, align 4, !ww.ftz !0, !ww.logged !0
  %count = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  call void @ww.flush_sums.at(i64 %address)
  %now = load i32, ptr addrspace(1) %p, align 4
  %q = inttoptr i64 64 to ptr addrspace(3)
  store i32 %now, ptr addrspace(3) %q, align 4
  %shared = atomicrmw fadd ptr addrspace(3) %q, float %x monotonic, align 4
  ret void
}

!0 = !{}
