; A PTX register is an alloca that is only loaded and stored: it becomes a value, and a phi where two values meet.
define void @kernel(i1 %p) {
  %r1 = alloca i32
  store i32 1, ptr %r1
  br i1 %p, label %then, label %end
then:
  store i32 2, ptr %r1
  br label %end
end:
  %v = load i32, ptr %r1
  store i32 %v, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1))
  ret void
}

; becomes
define void @kernel(i1 %p) {
  br i1 %p, label %then, label %end

then:
  br label %end

end:
  %r1.0 = phi i32 [ 2, %then ], [ 1, %0 ]
  store i32 %r1.0, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1)), align 4
  ret void
}
