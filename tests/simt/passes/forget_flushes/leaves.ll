; No flush, nothing to forget. The sum itself stays an atomic addition.
define void @kernel(ptr addrspace(1) %p) {
  %old = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4, !ww.privatised !0
  ret void
}

!0 = !{}

; stays
