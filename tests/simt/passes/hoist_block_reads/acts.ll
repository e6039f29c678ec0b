; Every warp reads word 2 of shared memory, and then writes a word of its own, which may be that one. The head reads the
; word once for the block, before any warp runs.
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %field = getelementptr i8, ptr %block, i64 8
  %shared = load i64, ptr %field, align 8, !invariant.load !0
  %at = add i64 %shared, 8
  %p = inttoptr i64 %at to ptr
  %most = load float, ptr %p, align 4
  %w = zext i32 %warp to i64
  %row = mul i64 %w, 4
  %own = add i64 %shared, %row
  %q = inttoptr i64 %own to ptr
  store float %most, ptr %q, align 4
  ret i32 1073741823
}

!0 = !{}

; becomes
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %field = getelementptr i8, ptr %block, i64 8
  %shared = load i64, ptr %field, align 8, !invariant.load !0
  %at = add i64 %shared, 8
  %p = inttoptr i64 %at to ptr
  %1 = getelementptr inbounds i8, ptr %common, i64 0
  %2 = load float, ptr %1, align 8, !ww.common !0
  %w = zext i32 %warp to i64
  %row = mul i64 %w, 4
  %own = add i64 %shared, %row
  %q = inttoptr i64 %own to ptr
  store float %2, ptr %q, align 4
  ret i32 1073741823
}

define internal void @region.head(ptr noalias %0, ptr noalias %1, i1 %2) {
entry:
  %3 = getelementptr i8, ptr %0, i64 8
  %shared = load i64, ptr %3, align 8, !invariant.load !0
  %4 = getelementptr i8, ptr %0, i64 88
  %total_smem = load i32, ptr %4, align 4, !invariant.load !0
  %5 = add i64 %shared, 8
  %6 = inttoptr i64 %5 to ptr
  %7 = load float, ptr %6, align 4
  %8 = getelementptr inbounds i8, ptr %1, i64 0
  store float %7, ptr %8, align 8
  ret void
}

!0 = !{}
