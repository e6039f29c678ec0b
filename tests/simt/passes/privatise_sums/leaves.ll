; The result is used; a sum of floats depends on the order (log_sums); shared memory needs no privatised sums; the host
; may be watching (!ww.sys).
define void @kernel(i64 %address) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %float = atomicrmw fadd ptr addrspace(1) %p, float 1.000000e+00 monotonic, align 4
  %s = inttoptr i64 %address to ptr addrspace(3)
  %shared = atomicrmw add ptr addrspace(3) %s, i32 %old monotonic, align 4
  %host = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4, !ww.sys !0
  ret void
}

!0 = !{}

; stays
