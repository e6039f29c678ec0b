; Offsets in shared memory that stay below 4 GiB: a thread has at most 1024 neighbours, and %buffer is 0 or 1. Other
; addresses have 64 bits.
declare i32 @ww.tid.x()

define void @kernel(i64 %q) {
entry:
  %tid = call i32 @ww.tid.x()
  br label %loop

loop:
  %buffer = phi i32 [ 0, %entry ], [ %other, %loop ]
  %which = zext i32 %buffer to i64
  %tile = mul nuw nsw i64 %which, 5120
  %thread = zext i32 %tid to i64
  %word = shl nuw nsw i64 %thread, 2
  %offset = add nuw nsw i64 %tile, %word
  %shared = inttoptr i64 %offset to ptr addrspace(3)
  store i32 %buffer, ptr addrspace(3) %shared, align 4
  %far = add i64 %q, 4294967296
  %global = inttoptr i64 %far to ptr addrspace(1)
  %more = load volatile i32, ptr addrspace(1) %global, align 4
  %go.not = icmp eq i32 %more, 0
  %other = xor i32 %buffer, 1
  br i1 %go.not, label %end, label %loop

end:
  ret void
}

; stays
