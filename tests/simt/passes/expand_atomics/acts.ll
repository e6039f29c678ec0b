; An addition of f32 becomes a loop: the sum has PTX's NaN, and subnormals are flushed (!ww.ftz).
define float @f(ptr %p, float %x) {
  %old = atomicrmw fadd ptr %p, float %x monotonic, align 4, !ww.ftz !0
  ret float %old
}

!0 = !{}

; becomes
define float @f(ptr %p, float %x) {
  %1 = load atomic i32, ptr %p monotonic, align 4
  br label %add

add:
  %2 = phi i32 [ %1, %0 ], [ %21, %add ]
  %3 = bitcast i32 %2 to float
  %4 = bitcast float %3 to i32
  %5 = and i32 %4, 2139095040
  %6 = icmp eq i32 %5, 0
  %7 = and i32 %4, -2147483648
  %8 = select i1 %6, i32 %7, i32 %4
  %9 = bitcast i32 %8 to float
  %10 = fadd float %9, %x
  %11 = fcmp uno float %10, %10
  %12 = select i1 %11, float 0x7FFFFFFFE0000000, float %10
  %13 = bitcast float %12 to i32
  %14 = and i32 %13, 2139095040
  %15 = icmp eq i32 %14, 0
  %16 = and i32 %13, -2147483648
  %17 = select i1 %15, i32 %16, i32 %13
  %18 = bitcast i32 %17 to float
  %19 = bitcast float %18 to i32
  %20 = cmpxchg ptr %p, i32 %2, i32 %19 monotonic monotonic, align 4
  %21 = extractvalue { i32, i1 } %20, 0
  %22 = extractvalue { i32, i1 } %20, 1
  br i1 %22, label %added, label %add

added:
  ret float %3
}
