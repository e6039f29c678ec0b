; The other choice is a third number.
define <4 x i32> @f(<4 x i1> %c, <4 x i32> %x, <4 x i32> %y, <4 x i32> %z) {
  %magnitude = and <4 x i32> %x, <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>
  %sign = and <4 x i32> %y, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %both = or <4 x i32> %magnitude, %sign
  %result = select <4 x i1> %c, <4 x i32> %both, <4 x i32> %z
  ret <4 x i32> %result
}

; stays
