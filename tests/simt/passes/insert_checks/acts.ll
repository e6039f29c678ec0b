; A load of global memory gets a shadow check: is this memory, and has it been written?
;; watch = addresses initialisation
define void @kernel(i64 %address) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %p
  %sum = add i32 %v, 1
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; becomes
define void @kernel(i64 %address) {
  %p = inttoptr i64 %address to ptr addrspace(1)
  call void @ww.shadow_check(i64 1071653904, i64 %address)
  %v = load i32, ptr addrspace(1) %p, align 4
  %sum = add i32 %v, 1
  call void @ww.shadow_check(i64 1608524817, i64 %address)
  store i32 %sum, ptr addrspace(1) %p, align 4
  ret void
}
