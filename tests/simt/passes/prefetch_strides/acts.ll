; The step is a multiple of the number of blocks: what is loaded sixteen steps later is asked for. One load of a line
; each pass leaves room for more than that, but no loop is worth more.
define <16 x float> @f(ptr %block, i64 %in, i64 %first, i64 %end) {
entry:
  %at = getelementptr i8, ptr %block, i64 60
  %blocks = load i32, ptr %at, align 4, !invariant.load !0
  %threads = shl i32 %blocks, 8
  %step = zext i32 %threads to i64
  br label %loop

loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi <16 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %bytes = shl i64 %i, 2
  %address = add i64 %in, %bytes
  %p = inttoptr i64 %address to ptr
  %v = load <16 x float>, ptr %p, align 4
  %more = fadd <16 x float> %sum, %v
  %next = add i64 %i, %step
  %go = icmp ult i64 %next, %end
  br i1 %go, label %loop, label %done

done:
  ret <16 x float> %more
}

; An index of 32 bits that is extended, and four lines a pass: eight steps ahead. There is no block before the loop
; that leads to it alone.
define <64 x i32> @g(ptr %block, ptr %in, i32 %first, i32 %end) {
entry:
  %at = getelementptr i8, ptr %block, i64 64
  %blocks = load i32, ptr %at, align 4, !invariant.load !0
  %some = icmp slt i32 %first, %end
  br i1 %some, label %loop, label %none

loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %in, i64 %wide
  %v = load <64 x i32>, ptr %p, align 4
  %next = add i32 %blocks, %i
  %go = icmp slt i32 %next, %end
  br i1 %go, label %loop, label %done

none:
  ret <64 x i32> zeroinitializer

done:
  ret <64 x i32> %v
}

!0 = !{}

; becomes
define <16 x float> @f(ptr %block, i64 %in, i64 %first, i64 %end) {
entry:
  %at = getelementptr i8, ptr %block, i64 60
  %blocks = load i32, ptr %at, align 4, !invariant.load !0
  %threads = shl i32 %blocks, 8
  %step = zext i32 %threads to i64
  %0 = mul i64 %step, 16
  br label %loop

loop:
  %i = phi i64 [ %first, %entry ], [ %next, %loop ]
  %sum = phi <16 x float> [ zeroinitializer, %entry ], [ %more, %loop ]
  %bytes = shl i64 %i, 2
  %address = add i64 %in, %bytes
  %p = inttoptr i64 %address to ptr
  %1 = mul i64 %0, 4
  %2 = getelementptr i8, ptr %p, i64 %1
  call void @llvm.prefetch.p0(ptr %2, i32 0, i32 3, i32 1)
  %v = load <16 x float>, ptr %p, align 4
  %more = fadd <16 x float> %sum, %v
  %next = add i64 %i, %step
  %go = icmp ult i64 %next, %end
  br i1 %go, label %loop, label %done

done:
  ret <16 x float> %more
}

define <64 x i32> @g(ptr %block, ptr %in, i32 %first, i32 %end) {
entry:
  %at = getelementptr i8, ptr %block, i64 64
  %blocks = load i32, ptr %at, align 4, !invariant.load !0
  %some = icmp slt i32 %first, %end
  %0 = sext i32 %blocks to i64
  %1 = mul i64 %0, 8
  br i1 %some, label %loop, label %none

loop:
  %i = phi i32 [ %first, %entry ], [ %next, %loop ]
  %wide = sext i32 %i to i64
  %p = getelementptr i32, ptr %in, i64 %wide
  %2 = mul i64 %1, 4
  %3 = getelementptr i8, ptr %p, i64 %2
  call void @llvm.prefetch.p0(ptr %3, i32 0, i32 3, i32 1)
  %v = load <64 x i32>, ptr %p, align 4
  %next = add i32 %blocks, %i
  %go = icmp slt i32 %next, %end
  br i1 %go, label %loop, label %done

none:
  ret <64 x i32> zeroinitializer

done:
  ret <64 x i32> %v
}

!0 = !{}
