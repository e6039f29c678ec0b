; The sign of %y on %x, where %c holds, and %x elsewhere: the choice is made first, of the numbers whose sign is taken.
define <4 x i32> @f(<4 x i1> %c, <4 x i32> %x, <4 x i32> %y) {
  %magnitude = and <4 x i32> %x, <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>
  %sign = and <4 x i32> %y, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %both = or <4 x i32> %magnitude, %sign
  %result = select <4 x i1> %c, <4 x i32> %both, <4 x i32> %x
  ret <4 x i32> %result
}

; becomes
define <4 x i32> @f(<4 x i1> %c, <4 x i32> %x, <4 x i32> %y) {
  %magnitude = and <4 x i32> %x, <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>
  %sign = and <4 x i32> %y, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %both = or <4 x i32> %magnitude, %sign
  %1 = select <4 x i1> %c, <4 x i32> %y, <4 x i32> %x
  %2 = and <4 x i32> %x, <i32 2147483647, i32 2147483647, i32 2147483647, i32 2147483647>
  %3 = and <4 x i32> %1, <i32 -2147483648, i32 -2147483648, i32 -2147483648, i32 -2147483648>
  %4 = or <4 x i32> %2, %3
  ret <4 x i32> %4
}
