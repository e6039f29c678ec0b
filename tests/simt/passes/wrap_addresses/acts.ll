; Addresses in shared and local memory have 32 bits: a constant is added to a signed number, and what 64 bits compute is
; computed in 32.
define void @kernel(i32 %a, i32 %b, i64 %c) {
  %x = mul i32 %a, %b
  %narrow = zext i32 %x to i64
  %behind = add i64 %narrow, 68
  %first = inttoptr i64 %behind to ptr addrspace(3)
  store i32 1, ptr addrspace(3) %first
  %not = xor i32 %a, -1
  %index = zext i32 %not to i64
  %bytes = mul i64 %index, 20
  %offset = add i64 %bytes, %c
  %back = add i64 %offset, 512
  %second = inttoptr i64 %back to ptr addrspace(3)
  store i32 2, ptr addrspace(3) %second
  store i32 3, ptr addrspace(3) inttoptr (i64 12884901904 to ptr addrspace(3))
  store i32 4, ptr addrspace(5) inttoptr (i64 4294967312 to ptr addrspace(5))
  ret void
}

; becomes
define void @kernel(i32 %a, i32 %b, i64 %c) {
  %1 = trunc i64 %c to i32
  %x = mul i32 %a, %b
  %2 = sext i32 %x to i64
  %3 = add i64 %2, 68
  %first = inttoptr i64 %3 to ptr addrspace(3)
  store i32 1, ptr addrspace(3) %first, align 4
  %not = xor i32 %a, -1
  %4 = mul i32 %not, 20
  %5 = add i32 %4, %1
  %6 = sext i32 %5 to i64
  %7 = add i64 %6, 512
  %second = inttoptr i64 %7 to ptr addrspace(3)
  store i32 2, ptr addrspace(3) %second, align 4
  store i32 3, ptr addrspace(3) inttoptr (i64 16 to ptr addrspace(3)), align 4
  store i32 4, ptr addrspace(5) inttoptr (i64 16 to ptr addrspace(5)), align 4
  ret void
}
