; The result of another atomic is used: what a block does may depend on how many came before it.
define void @kernel(i64 %address, float %x) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  %ticket = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic, align 4
  %q = getelementptr float, ptr addrspace(1) %p, i32 %ticket
  %old = atomicrmw volatile fadd ptr addrspace(1) %q, float %x monotonic, align 4
  ret void
}

; stays
