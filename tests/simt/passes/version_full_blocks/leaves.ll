; The same code in a block of one warp: its lanes diverge at the guard once, and there is nothing to interleave.
;; block = 32
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

; stays
