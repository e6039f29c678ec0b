; Without a mark no bits can be observed.
define void @kernel(float %a, float %b, ptr addrspace(1) %p) {
  %sum = fadd float %a, %b
  %less = fcmp olt float %sum, %a
  %bit = zext i1 %less to i32
  store i32 %bit, ptr addrspace(1) %p
  ret void
}

; stays
