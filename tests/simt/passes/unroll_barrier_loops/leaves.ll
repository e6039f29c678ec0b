; The length of the loop is a parameter.
define void @kernel() {
entry:
  %bound = load i32, ptr addrspace(101) null, align 4
  br label %loop

loop:
  %offset = phi i32 [ %bound, %entry ], [ %half, %loop ]
  %t = call i32 @ww.tid.x()
  %works = icmp ult i32 %t, %offset
  %bit = zext i1 %works to i32
  %at = zext i32 %t to i64
  %p = inttoptr i64 %at to ptr addrspace(3)
  store i32 %bit, ptr addrspace(3) %p, align 4
  call void @ww.barrier.sync(i32 0, i32 0)
  %half = lshr i32 %offset, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %end

end:
  ret void
}
declare i32 @ww.tid.x()
declare void @ww.barrier.sync(i32, i32) convergent

; stays
