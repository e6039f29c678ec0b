; The same product twice, a multiplication by one, and a sum that nothing uses.
define void @kernel(i32 %a, i32 %b, ptr addrspace(1) %p) {
  %x = mul i32 %a, %b
  %y = mul i32 %a, %b
  %one = mul i32 %y, 1
  %unused = add i32 %x, 7
  %sum = add i32 %x, %one
  store i32 %sum, ptr addrspace(1) %p
  ret void
}

; becomes
define void @kernel(i32 %a, i32 %b, ptr addrspace(1) %p) {
  %x = mul i32 %a, %b
  %sum = shl i32 %x, 1
  store i32 %sum, ptr addrspace(1) %p, align 4
  ret void
}
