; One return, one branch, an address beside the access.
define void @kernel(i1 %c, i64 %address) {
entry:
  br i1 %c, label %then, label %end

then:
  %0 = inttoptr i64 %address to ptr addrspace(1)
  store i32 10, ptr addrspace(1) %0, align 4
  br label %end

end:
  ret void
}

; stays
