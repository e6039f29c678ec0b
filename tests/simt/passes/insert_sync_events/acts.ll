; A shuffle under a condition reports its mask and the reconvergence point behind it, where the lanes that left it out
; arrive.
define void @kernel(i1 %c, i32 %v) {
entry:
  br i1 %c, label %then, label %end

then:
  %got = call { i32, i1 } @ww.shfl.bfly(i32 %v, i32 1, i32 31, i32 -1)
  %x = extractvalue { i32, i1 } %got, 0
  br label %end

end:
  %y = phi i32 [ %x, %then ], [ 0, %entry ]
  store i32 %y, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1))
  ret void
}
declare { i32, i1 } @ww.shfl.bfly(i32, i32, i32, i32) convergent

; becomes
define void @kernel(i1 %c, i32 %v) {
entry:
  br i1 %c, label %then, label %end

then:
  call void @ww.event(i1 true, i32 176, i64 8589934591, i64 133143986177)
  %got = call { i32, i1 } @ww.shfl.bfly(i32 %v, i32 1, i32 31, i32 -1)
  %x = extractvalue { i32, i1 } %got, 0
  br label %end

end:
  %y = phi i32 [ %x, %then ], [ 0, %entry ]
  call void @ww.event(i1 true, i32 49, i64 1, i64 0)
  store i32 %y, ptr addrspace(1) inttoptr (i64 4096 to ptr addrspace(1)), align 4
  ret void
}
