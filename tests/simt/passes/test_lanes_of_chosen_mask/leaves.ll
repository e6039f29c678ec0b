; One of the masks is no constant.
define <4 x i1> @f(i1 %c, <4 x i1> %other) {
  %mask = select i1 %c, <4 x i1> <i1 true, i1 true, i1 false, i1 false>, <4 x i1> %other
  ret <4 x i1> %mask
}

; stays
