; p[n - i], in a loop: a sum of multiples of four.
define void @kernel() {
entry:
  %p = load i64, ptr addrspace(101) null, align 8
  br label %turn

turn:
  %offset = phi i64 [ 0, %entry ], [ %next, %turn ]
  %at = sub i64 %p, %offset
  %from = inttoptr i64 %at to ptr addrspace(1)
  %v = load i32, ptr addrspace(1) %from, align 4
  %wide = sext i32 %v to i64
  %step = mul i64 %wide, 12
  %next = add i64 %offset, %step
  %done = icmp eq i32 %v, 0
  br i1 %done, label %end, label %turn

end:
  ret void
}

; stays
