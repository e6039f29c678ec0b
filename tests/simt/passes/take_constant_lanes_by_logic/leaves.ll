; Both sides are known at run time only.
define <4 x i1> @f(<4 x i1> %m, <4 x i1> %n) {
  %mask = shufflevector <4 x i1> %m, <4 x i1> %n, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  ret <4 x i1> %mask
}

; stays
