; x[threadIdx.x] += 1: the address is affine, so the load and the store are of 32 words side by side.
;; block = 64
define void @kernel() {
entry:
  %x = load i64, ptr addrspace(101) null, align 8, !invariant.load !0
  %t = call i32 @ww.tid.x()
  %index = zext i32 %t to i64
  %offset = mul i64 %index, 4
  %at = add i64 %x, %offset
  %p = inttoptr i64 %at to ptr addrspace(1)
  %old = load i32, ptr addrspace(1) %p, align 4
  %new = add i32 %old, 1
  %q = inttoptr i64 %at to ptr addrspace(1)
  store i32 %new, ptr addrspace(1) %q, align 4
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
  %1 = mul nuw i32 %warp, 32
  %index = zext i32 %1 to i64
  %offset = mul i64 %index, 4
  %at = add i64 %x, %offset
  %2 = add i64 %at, 70368744177664
  %3 = inttoptr i64 %2 to ptr
  %4 = load <16 x i32>, ptr %3, align 4, !noalias !1
  %5 = getelementptr i8, ptr %3, i64 64
  %6 = load <16 x i32>, ptr %5, align 4, !noalias !1
  %7 = shufflevector <16 x i32> %4, <16 x i32> %6, <32 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15, i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  %8 = add <32 x i32> %7, <i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1, i32 1>
  %9 = add i64 %at, 70368744177664
  %10 = inttoptr i64 %9 to ptr
  %11 = shufflevector <32 x i32> %8, <32 x i32> poison, <16 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, i32 7, i32 8, i32 9, i32 10, i32 11, i32 12, i32 13, i32 14, i32 15>
  store <16 x i32> %11, ptr %10, align 4, !noalias !1
  %12 = getelementptr i8, ptr %10, i64 64
  %13 = shufflevector <32 x i32> %8, <32 x i32> poison, <16 x i32> <i32 16, i32 17, i32 18, i32 19, i32 20, i32 21, i32 22, i32 23, i32 24, i32 25, i32 26, i32 27, i32 28, i32 29, i32 30, i32 31>
  store <16 x i32> %13, ptr %12, align 4, !noalias !1
  ret void
}

!0 = !{}
!1 = !{!2}
!2 = !{!"shared", !3}
!3 = !{!"state spaces"}
