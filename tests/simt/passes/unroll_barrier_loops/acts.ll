; The three steps of a tree over eight threads become straight code: each is a region with a constant offset.
define void @kernel() {
entry:
  %bound = load i32, ptr addrspace(101) null
  br label %loop

loop:
  %offset = phi i32 [ 4, %entry ], [ %half, %loop ]
  %t = call i32 @ww.tid.x()
  %works = icmp ult i32 %t, %offset
  %bit = zext i1 %works to i32
  %at = zext i32 %t to i64
  %p = inttoptr i64 %at to ptr addrspace(3)
  store i32 %bit, ptr addrspace(3) %p
  call void @ww.barrier.sync(i32 0, i32 0)
  %half = lshr i32 %offset, 1
  %more = icmp ne i32 %half, 0
  br i1 %more, label %loop, label %end

end:
  ret void
}
declare i32 @ww.tid.x()
declare void @ww.barrier.sync(i32, i32) convergent

; becomes
define void @kernel() {
entry:
  %bound = load i32, ptr addrspace(101) null, align 4
  br label %loop

loop:
  %t = call i32 @ww.tid.x()
  %works = icmp ult i32 %t, 4
  %bit = zext i1 %works to i32
  %at = zext i32 %t to i64
  %p = inttoptr i64 %at to ptr addrspace(3)
  store i32 %bit, ptr addrspace(3) %p, align 4
  call void @ww.barrier.sync(i32 0, i32 0)
  %t.1 = call i32 @ww.tid.x()
  %works.1 = icmp ult i32 %t.1, 2
  %bit.1 = zext i1 %works.1 to i32
  %at.1 = zext i32 %t.1 to i64
  %p.1 = inttoptr i64 %at.1 to ptr addrspace(3)
  store i32 %bit.1, ptr addrspace(3) %p.1, align 4
  call void @ww.barrier.sync(i32 0, i32 0)
  %t.2 = call i32 @ww.tid.x()
  %works.2 = icmp ult i32 %t.2, 1
  %bit.2 = zext i1 %works.2 to i32
  %at.2 = zext i32 %t.2 to i64
  %p.2 = inttoptr i64 %at.2 to ptr addrspace(3)
  store i32 %bit.2, ptr addrspace(3) %p.2, align 4
  call void @ww.barrier.sync(i32 0, i32 0)
  ret void
}
