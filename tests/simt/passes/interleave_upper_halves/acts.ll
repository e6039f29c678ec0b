; Words shifted into the upper halves of 64 bits are the words alternating with zeros.
define <4 x i64> @f(<4 x i32> %x) {
  %wide = zext <4 x i32> %x to <4 x i64>
  %high = shl <4 x i64> %wide, <i64 32, i64 32, i64 32, i64 32>
  ret <4 x i64> %high
}

; becomes
define <4 x i64> @f(<4 x i32> %x) {
  %wide = zext <4 x i32> %x to <4 x i64>
  %1 = shufflevector <4 x i32> %x, <4 x i32> zeroinitializer, <8 x i32> <i32 4, i32 0, i32 5, i32 1, i32 6, i32 2, i32 7, i32 3>
  %2 = bitcast <8 x i32> %1 to <4 x i64>
  ret <4 x i64> %2
}
