; A choice between masks, lane by lane, is logic.
define <8 x i1> @f(<8 x i1> %c, <8 x i1> %a, <8 x i1> %b) {
  %mask = select <8 x i1> %c, <8 x i1> %a, <8 x i1> %b
  ret <8 x i1> %mask
}

; becomes
define <8 x i1> @f(<8 x i1> %c, <8 x i1> %a, <8 x i1> %b) {
  %1 = freeze <8 x i1> %a
  %2 = freeze <8 x i1> %b
  %3 = and <8 x i1> %c, %1
  %4 = xor <8 x i1> %c, <i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true, i1 true>
  %5 = and <8 x i1> %4, %2
  %6 = or <8 x i1> %3, %5
  ret <8 x i1> %6
}
