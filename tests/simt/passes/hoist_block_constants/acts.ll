; The load is of something that never changes: it is loaded, and doubled, once for the block.
define void @block(ptr %block) {
entry:
  br label %warps

warps:
  %w = phi i32 [ 0, %entry ], [ %next, %warps ]
  %p = getelementptr i8, ptr %block, i64 16
  %n = load i32, ptr %p, align 4, !invariant.load !0
  %twice = mul i32 %n, 2
  store volatile i32 %w, ptr %block, align 4
  %next = add i32 %w, 1
  %more = icmp ult i32 %next, %twice
  br i1 %more, label %warps, label %done

done:
  ret void
}

!0 = !{}

; becomes
define void @block(ptr %block) {
entry:
  %p = getelementptr i8, ptr %block, i64 16
  %n = load i32, ptr %p, align 4, !invariant.load !0
  %twice = mul i32 %n, 2
  br label %warps

warps:
  %w = phi i32 [ 0, %entry ], [ %next, %warps ]
  store volatile i32 %w, ptr %block, align 4
  %next = add i32 %w, 1
  %more = icmp ult i32 %next, %twice
  br i1 %more, label %warps, label %done

done:
  ret void
}

!0 = !{}
