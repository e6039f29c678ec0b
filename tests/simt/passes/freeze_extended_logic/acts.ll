; Logic of masks is kept apart from its extension.
define <8 x i32> @f(<8 x i1> %a, <8 x i1> %b) {
  %either = or <8 x i1> %a, %b
  %wide = zext <8 x i1> %either to <8 x i32>
  ret <8 x i32> %wide
}

; becomes
define <8 x i32> @f(<8 x i1> %a, <8 x i1> %b) {
  %either = or <8 x i1> %a, %b
  %1 = freeze <8 x i1> %either
  %wide = zext <8 x i1> %1 to <8 x i32>
  ret <8 x i32> %wide
}
