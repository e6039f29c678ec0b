; A log has entries of one type.
define void @kernel(i64 %address, float %x, double %y) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  %old = atomicrmw volatile fadd ptr addrspace(1) %p, float %x monotonic, align 4
  %q = getelementptr i64, ptr addrspace(1) %p, i32 1
  %other = atomicrmw volatile fadd ptr addrspace(1) %q, double %y monotonic, align 8
  ret void
}

; stays
