; Threads leave at the guard, and a loop follows. The block asks whether any of its threads leaves. Where none does, the
; copy of the code without the guard runs.
;; block = 256
define void @kernel() {
entry:
  %n = load i32, ptr addrspace(101) inttoptr (i64 8 to ptr addrspace(101)), align 4
  %t = call i32 @ww.tid.x()
  %leaves = icmp uge i32 %t, %n
  br i1 %leaves, label %end, label %work

work:
  br label %loop

loop:
  %k = phi i32 [ 0, %work ], [ %k.next, %loop ]
  %at = zext i32 %t to i64
  %p = inttoptr i64 %at to ptr addrspace(1)
  store i32 %k, ptr addrspace(1) %p, align 4
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  br label %end

end:
  ret void
}
declare i32 @ww.tid.x()

; becomes
define void @kernel() {
entry:
  %n = load i32, ptr addrspace(101) inttoptr (i64 8 to ptr addrspace(101)), align 4
  %t = call i32 @ww.tid.x()
  %leaves = icmp uge i32 %t, %n
  %0 = call i32 @ww.barrier.red(i32 0, i32 0, i32 2, i1 %leaves)
  %1 = icmp ne i32 %0, 0
  br i1 %1, label %some_leave, label %all_stay

stays:
  br label %work

work:
  br label %loop

loop:
  %k = phi i32 [ 0, %work ], [ %k.next, %loop ]
  %at = zext i32 %t to i64
  %p = inttoptr i64 %at to ptr addrspace(1)
  store i32 %k, ptr addrspace(1) %p, align 4
  %k.next = add i32 %k, 1
  %more = icmp ult i32 %k.next, %n
  br i1 %more, label %loop, label %done

done:
  br label %end

end:
  ret void

some_leave:
  call void @ww.barrier.sync(i32 0, i32 0)
  br i1 %leaves, label %end, label %stays

all_stay:
  call void @ww.barrier.sync(i32 0, i32 0)
  br label %work.full

work.full:
  br label %loop.full

loop.full:
  %k.full = phi i32 [ 0, %work.full ], [ %k.next.full, %loop.full ]
  %at.full = zext i32 %t to i64
  %p.full = inttoptr i64 %at.full to ptr addrspace(1)
  store i32 %k.full, ptr addrspace(1) %p.full, align 4
  %k.next.full = add i32 %k.full, 1
  %more.full = icmp ult i32 %k.next.full, %n
  br i1 %more.full, label %loop.full, label %done.full

done.full:
  br label %end
}
