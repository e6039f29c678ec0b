; No processor scatters bytes: a loop over the active lanes writes them. Where they are known, each has a store.
define void @f(<4 x i8> %v, <4 x ptr> %p, <4 x i1> %mask) {
  call void @llvm.masked.scatter.v4i8.v4p0(<4 x i8> %v, <4 x ptr> %p, i32 1, <4 x i1> %mask)
  ret void
}
define void @known(<4 x i8> %v, <4 x ptr> %p) {
  call void @llvm.masked.scatter.v4i8.v4p0(<4 x i8> %v, <4 x ptr> %p, i32 1, <4 x i1> <i1 true, i1 false, i1 true, i1 false>)
  ret void
}
declare void @llvm.masked.scatter.v4i8.v4p0(<4 x i8>, <4 x ptr>, i32 immarg, <4 x i1>)

; becomes
define void @f(<4 x i8> %v, <4 x ptr> %p, <4 x i1> %mask) {
  %1 = alloca <4 x i8>, align 4
  %2 = alloca <4 x ptr>, align 32
  %3 = bitcast <4 x i1> %mask to i4
  %4 = zext i4 %3 to i64
  %5 = getelementptr i8, <4 x ptr> %p, <4 x i64> <i64 0, i64 -1, i64 -2, i64 -3>
  store <4 x ptr> %5, ptr %2, align 32
  store <4 x i8> %v, ptr %1, align 4
  %6 = icmp ne i64 %4, 0
  br i1 %6, label %lane, label %.split

lane:
  %7 = phi i64 [ %4, %0 ], [ %15, %lane ]
  %8 = call i64 @llvm.cttz.i64(i64 %7, i1 true)
  %9 = getelementptr i8, ptr %1, i64 %8
  %10 = getelementptr ptr, ptr %2, i64 %8
  %11 = load ptr, ptr %10, align 8
  %12 = getelementptr i8, ptr %11, i64 %8
  %13 = load i8, ptr %9, align 1
  store i8 %13, ptr %12, align 1
  %14 = sub i64 %7, 1
  %15 = and i64 %7, %14
  %16 = icmp ne i64 %15, 0
  br i1 %16, label %lane, label %.split

.split:
  ret void
}

define void @known(<4 x i8> %v, <4 x ptr> %p) {
  %1 = extractelement <4 x ptr> %p, i64 0
  %2 = extractelement <4 x i8> %v, i64 0
  store i8 %2, ptr %1, align 1
  %3 = extractelement <4 x ptr> %p, i64 2
  %4 = extractelement <4 x i8> %v, i64 2
  store i8 %4, ptr %3, align 1
  ret void
}
