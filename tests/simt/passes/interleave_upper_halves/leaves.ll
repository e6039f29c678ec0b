; Another distance.
define <4 x i64> @f(<4 x i32> %x) {
  %wide = zext <4 x i32> %x to <4 x i64>
  %high = shl <4 x i64> %wide, <i64 31, i64 31, i64 31, i64 31>
  ret <4 x i64> %high
}

; stays
