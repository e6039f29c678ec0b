; The scatters of eight interleaved warps. If the addresses of each lane are neighbours, the values are transposed and
; written as eight rows; otherwise the scatters are done as they are.
define void @region(<8 x i32> %v0, <8 x ptr> %p0, <8 x i32> %v1, <8 x ptr> %p1, <8 x i32> %v2, <8 x ptr> %p2, <8 x i32> %v3, <8 x ptr> %p3, <8 x i32> %v4, <8 x ptr> %p4, <8 x i32> %v5, <8 x ptr> %p5, <8 x i32> %v6, <8 x ptr> %p6, <8 x i32> %v7, <8 x ptr> %p7) {
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v0, <8 x ptr> %p0, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v1, <8 x ptr> %p1, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v2, <8 x ptr> %p2, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v3, <8 x ptr> %p3, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v4, <8 x ptr> %p4, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v5, <8 x ptr> %p5, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v6, <8 x ptr> %p6, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v7, <8 x ptr> %p7, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  ret void
}
declare void @llvm.masked.scatter.v8i32.v8p0(<8 x i32>, <8 x ptr>, i32 immarg, <8 x i1>)

; becomes
define void @region(<8 x i32> %v0, <8 x ptr> %p0, <8 x i32> %v1, <8 x ptr> %p1, <8 x i32> %v2, <8 x ptr> %p2, <8 x i32> %v3, <8 x ptr> %p3, <8 x i32> %v4, <8 x ptr> %p4, <8 x i32> %v5, <8 x ptr> %p5, <8 x i32> %v6, <8 x ptr> %p6, <8 x i32> %v7, <8 x ptr> %p7) {
  %1 = ptrtoint <8 x ptr> %p0 to <8 x i64>
  %2 = add <8 x i64> %1, <i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4, i64 4>
  %3 = ptrtoint <8 x ptr> %p1 to <8 x i64>
  %4 = icmp eq <8 x i64> %3, %2
  %5 = add <8 x i64> %1, <i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8, i64 8>
  %6 = ptrtoint <8 x ptr> %p2 to <8 x i64>
  %7 = icmp eq <8 x i64> %6, %5
  %8 = and <8 x i1> %4, %7
  %9 = add <8 x i64> %1, <i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12, i64 12>
  %10 = ptrtoint <8 x ptr> %p3 to <8 x i64>
  %11 = icmp eq <8 x i64> %10, %9
  %12 = and <8 x i1> %8, %11
  %13 = add <8 x i64> %1, <i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16, i64 16>
  %14 = ptrtoint <8 x ptr> %p4 to <8 x i64>
  %15 = icmp eq <8 x i64> %14, %13
  %16 = and <8 x i1> %12, %15
  %17 = add <8 x i64> %1, <i64 20, i64 20, i64 20, i64 20, i64 20, i64 20, i64 20, i64 20>
  %18 = ptrtoint <8 x ptr> %p5 to <8 x i64>
  %19 = icmp eq <8 x i64> %18, %17
  %20 = and <8 x i1> %16, %19
  %21 = add <8 x i64> %1, <i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24, i64 24>
  %22 = ptrtoint <8 x ptr> %p6 to <8 x i64>
  %23 = icmp eq <8 x i64> %22, %21
  %24 = and <8 x i1> %20, %23
  %25 = add <8 x i64> %1, <i64 28, i64 28, i64 28, i64 28, i64 28, i64 28, i64 28, i64 28>
  %26 = ptrtoint <8 x ptr> %p7 to <8 x i64>
  %27 = icmp eq <8 x i64> %26, %25
  %28 = and <8 x i1> %24, %27
  %29 = bitcast <8 x i1> %28 to i8
  %30 = icmp eq i8 %29, -1
  br i1 %30, label %31, label %72, !prof !0

31:
  %32 = shufflevector <8 x i32> %v0, <8 x i32> %v1, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %33 = shufflevector <8 x i32> %v0, <8 x i32> %v1, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %34 = shufflevector <8 x i32> %v2, <8 x i32> %v3, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %35 = shufflevector <8 x i32> %v2, <8 x i32> %v3, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %36 = shufflevector <8 x i32> %32, <8 x i32> %34, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %37 = shufflevector <8 x i32> %32, <8 x i32> %34, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %38 = shufflevector <8 x i32> %33, <8 x i32> %35, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %39 = shufflevector <8 x i32> %33, <8 x i32> %35, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %40 = shufflevector <8 x i32> %v4, <8 x i32> %v5, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %41 = shufflevector <8 x i32> %v4, <8 x i32> %v5, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %42 = shufflevector <8 x i32> %v6, <8 x i32> %v7, <8 x i32> <i32 0, i32 8, i32 1, i32 9, i32 4, i32 12, i32 5, i32 13>
  %43 = shufflevector <8 x i32> %v6, <8 x i32> %v7, <8 x i32> <i32 2, i32 10, i32 3, i32 11, i32 6, i32 14, i32 7, i32 15>
  %44 = shufflevector <8 x i32> %40, <8 x i32> %42, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %45 = shufflevector <8 x i32> %40, <8 x i32> %42, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %46 = shufflevector <8 x i32> %41, <8 x i32> %43, <8 x i32> <i32 0, i32 1, i32 8, i32 9, i32 4, i32 5, i32 12, i32 13>
  %47 = shufflevector <8 x i32> %41, <8 x i32> %43, <8 x i32> <i32 2, i32 3, i32 10, i32 11, i32 6, i32 7, i32 14, i32 15>
  %48 = shufflevector <8 x i32> %36, <8 x i32> %44, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %49 = shufflevector <8 x i32> %37, <8 x i32> %45, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %50 = shufflevector <8 x i32> %38, <8 x i32> %46, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %51 = shufflevector <8 x i32> %39, <8 x i32> %47, <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 8, i32 9, i32 10, i32 11>
  %52 = shufflevector <8 x i32> %36, <8 x i32> %44, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %53 = shufflevector <8 x i32> %37, <8 x i32> %45, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %54 = shufflevector <8 x i32> %38, <8 x i32> %46, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %55 = shufflevector <8 x i32> %39, <8 x i32> %47, <8 x i32> <i32 4, i32 5, i32 6, i32 7, i32 12, i32 13, i32 14, i32 15>
  %56 = extractelement <8 x i64> %1, i64 0
  %57 = inttoptr i64 %56 to ptr
  store <8 x i32> %48, ptr %57, align 4
  %58 = extractelement <8 x i64> %1, i64 1
  %59 = inttoptr i64 %58 to ptr
  store <8 x i32> %49, ptr %59, align 4
  %60 = extractelement <8 x i64> %1, i64 2
  %61 = inttoptr i64 %60 to ptr
  store <8 x i32> %50, ptr %61, align 4
  %62 = extractelement <8 x i64> %1, i64 3
  %63 = inttoptr i64 %62 to ptr
  store <8 x i32> %51, ptr %63, align 4
  %64 = extractelement <8 x i64> %1, i64 4
  %65 = inttoptr i64 %64 to ptr
  store <8 x i32> %52, ptr %65, align 4
  %66 = extractelement <8 x i64> %1, i64 5
  %67 = inttoptr i64 %66 to ptr
  store <8 x i32> %53, ptr %67, align 4
  %68 = extractelement <8 x i64> %1, i64 6
  %69 = inttoptr i64 %68 to ptr
  store <8 x i32> %54, ptr %69, align 4
  %70 = extractelement <8 x i64> %1, i64 7
  %71 = inttoptr i64 %70 to ptr
  store <8 x i32> %55, ptr %71, align 4
  br label %73

72:
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v0, <8 x ptr> %p0, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v1, <8 x ptr> %p1, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v2, <8 x ptr> %p2, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v3, <8 x ptr> %p3, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v4, <8 x ptr> %p4, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v5, <8 x ptr> %p5, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v6, <8 x ptr> %p6, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  call void @llvm.masked.scatter.v8i32.v8p0(<8 x i32> %v7, <8 x ptr> %p7, i32 4, <8 x i1> <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>)
  br label %73

73:
  ret void
}

!0 = !{!"branch_weights", i32 1048575, i32 1}
