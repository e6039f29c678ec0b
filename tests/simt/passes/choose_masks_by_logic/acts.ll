; A choice between masks, lane by lane, is logic.
define <8 x i1> @f(<8 x i1> %c, <8 x i1> %a, <8 x i1> %b) {
  %mask = select <8 x i1> %c, <8 x i1> %a, <8 x i1> %b
  ret <8 x i1> %mask
}

; becomes
define <8 x i1> @f(<8 x i1> %c, <8 x i1> %a, <8 x i1> %b) {
  %1 = freeze <8 x i1> %a
  %2 = and <8 x i1> %c, %1
  %3 = xor <8 x i1> %c, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %4 = freeze <8 x i1> %b
  %5 = and <8 x i1> %3, %4
  %6 = or <8 x i1> %2, %5
  ret <8 x i1> %6
}
