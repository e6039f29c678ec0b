; No lane waits for another one.
define void @kernel(i1 %c, i32 %v) {
entry:
  br i1 %c, label %then, label %end

then:
  store i32 %v, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1)), align 4
  br label %end

end:
  ret void
}

; stays
