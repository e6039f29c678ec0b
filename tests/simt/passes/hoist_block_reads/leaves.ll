; Each warp reads a word of its own: its place is no constant.
define i32 @region(ptr noalias %block, i32 %warp, ptr noalias %frame, ptr noalias %common, ptr noalias %next) {
  %field = getelementptr i8, ptr %block, i64 8
  %shared = load i64, ptr %field, align 8, !invariant.load !0
  %wide = zext i32 %warp to i64
  %bytes = shl i64 %wide, 7
  %at = add i64 %shared, %bytes
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

; stays
