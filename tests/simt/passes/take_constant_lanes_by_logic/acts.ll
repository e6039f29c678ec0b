; The upper two lanes of the result are those of a constant.
define <4 x i1> @f(<4 x i1> %m) {
  %mask = shufflevector <4 x i1> %m, <4 x i1> <i1 true, i1 false, i1 true, i1 false>, <4 x i32> <i32 0, i32 1, i32 6, i32 7>
  ret <4 x i1> %mask
}

; becomes
define <4 x i1> @f(<4 x i1> %m) {
  %1 = shufflevector <4 x i1> %m, <4 x i1> poison, <4 x i32> <i32 0, i32 1, i32 2, i32 3>
  %2 = freeze <4 x i1> %1
  %3 = and <4 x i1> %2, <i1 true, i1 true, i1 false, i1 false>
  %4 = or <4 x i1> %3, <i1 false, i1 false, i1 true, i1 false>
  ret <4 x i1> %4
}
