; One of two constant masks: each lane tests the bit of the side that was chosen.
define <4 x i1> @f(i1 %c) {
  %mask = select i1 %c, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x i1> <i1 true, i1 false, i1 true, i1 false>
  ret <4 x i1> %mask
}

; becomes
define <4 x i1> @f(i1 %c) {
  %1 = select i1 %c, i8 1, i8 2
  %.splatinsert = insertelement <4 x i8> poison, i8 %1, i64 0
  %.splat = shufflevector <4 x i8> %.splatinsert, <4 x i8> poison, <4 x i32> zeroinitializer
  %2 = and <4 x i8> <i8 3, i8 1, i8 2, i8 0>, %.splat
  %3 = icmp ne <4 x i8> %2, zeroinitializer
  ret <4 x i1> %3
}
