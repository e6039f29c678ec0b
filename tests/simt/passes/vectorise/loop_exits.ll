; Lanes leave the loop one after the other with the number that they have then. Whoever is still in the loop leaves its
; number each time, under the mask of the loop: what a lane has left last is what it goes with. No mask of those that go
; is made.
; always acts
;; block = 32
define void @kernel() {
entry:
  %x = load i64, ptr addrspace(101) null, align 8, !invariant.load !0
  %t = call i32 @ww.tid.x()
  %first = or i32 %t, 32
  br label %loop

loop:
  %n = phi i32 [ %first, %entry ], [ %half, %loop ]
  %half = lshr i32 %n, 1
  %odd = and i32 %n, 1
  %go = icmp eq i32 %odd, 0
  br i1 %go, label %loop, label %done

done:
  %last = phi i32 [ %half, %loop ]
  %index = zext i32 %t to i64
  %offset = mul i64 %index, 4
  %at = add i64 %x, %offset
  %p = inttoptr i64 %at to ptr addrspace(1)
  store i32 %last, ptr addrspace(1) %p, align 4
  ret void
}
declare i32 @ww.tid.x()

!0 = !{}

; becomes
define internal void @kernel.warp(ptr noalias %block, i32 %warp) {
prologue:
  %parameters = load i64, ptr %block, align 8, !invariant.load !0
  %0 = inttoptr i64 %parameters to ptr
  %x = load i64, ptr %0, align 8, !invariant.load !0
  br label %start

start:
  br label %entry

entry:
  br label %loop.loop

loop.loop:
  br label %loop.header

loop.header:
  %last.slot3 = phi <32 x i32> [ %12, %loop.latch ], [ poison, %loop.loop ]
  %n.slot2 = phi <32 x i32> [ %8, %loop.latch ], [ <i32 32, i32 33, i32 34, i32 35, i32 36, i32 37, i32 38, i32 39, i32 40, i32 41, i32 42, i32 43, i32 44, i32 45, i32 46, i32 47, i32 48, i32 49, i32 50, i32 51, i32 52, i32 53, i32 54, i32 55, i32 56, i32 57, i32 58, i32 59, i32 60, i32 61, i32 62, i32 63>, %loop.loop ]
  %loop.live1 = phi <32 x i1> [ %11, %loop.latch ], [ <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>, %loop.loop ]
  br label %loop

loop.latch:
  %1 = bitcast <32 x i1> %11 to i32
  %2 = icmp ne i32 %1, 0
  br i1 %2, label %loop.header, label %done

done:
  %3 = add i64 %x, 70368744177664
  %4 = inttoptr i64 %3 to ptr
  %5 = shufflevector <32 x i32> %12, <32 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  store <16 x i32> %5, ptr %4, align 4, !noalias !1
  %6 = getelementptr i8, ptr %4, i64 64
  %7 = shufflevector <32 x i32> %12, <32 x i32> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x i32> %7, ptr %6, align 4, !noalias !1
  ret void

loop:
  %8 = lshr <32 x i32> %n.slot2, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %9 = and <32 x i32> %n.slot2, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %10 = icmp eq <32 x i32> %9, zeroinitializer
  %11 = select <32 x i1> %loop.live1, <32 x i1> %10, <32 x i1> zeroinitializer
  %12 = select <32 x i1> %loop.live1, <32 x i32> %8, <32 x i32> %last.slot3
  br label %loop.latch
}

!0 = !{}
!1 = !{!2}
!2 = !{!"shared", !3}
!3 = !{!"state spaces"}
