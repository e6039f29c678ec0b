; A function whose address the kernel stores can be called.
define void @kernel(ptr addrspace(1) %p) {
  store i64 ptrtoint (ptr @pointed_to to i64), ptr addrspace(1) %p, align 8
  ret void
}

define void @pointed_to() {
  ret void
}

; stays
