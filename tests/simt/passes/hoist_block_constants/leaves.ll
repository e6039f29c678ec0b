; What is loaded may change from warp to warp. (Its address is a constant expression of the argument and is computed in
; the entry already.)
define void @block(ptr %block) {
entry:
  %p = getelementptr i8, ptr %block, i64 16
  br label %warps

warps:
  %w = phi i32 [ 0, %entry ], [ %next, %warps ]
  %n = load i32, ptr %p, align 4
  %twice = mul i32 %n, 2
  store volatile i32 %w, ptr %block, align 4
  %next = add i32 %w, 1
  %more = icmp ult i32 %next, %twice
  br i1 %more, label %warps, label %done

done:
  ret void
}

; stays
