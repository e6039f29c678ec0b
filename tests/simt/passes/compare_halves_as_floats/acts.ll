; "Is it a NaN?" is a comparison of integers; other comparisons are of floats.
define <8 x i1> @f(<8 x half> %a, <8 x half> %b) {
  %nan = fcmp uno <8 x half> %a, zeroinitializer
  %less = fcmp olt <8 x half> %a, %b
  %both = and <8 x i1> %nan, %less
  ret <8 x i1> %both
}

; becomes
define <8 x i1> @f(<8 x half> %a, <8 x half> %b) {
  %1 = bitcast <8 x half> %a to <8 x i16>
  %2 = and <8 x i16> %1, <i16 32767, i16 32767, i16 32767, i16 32767, i16 32767, i16 32767, i16 32767, i16 32767>
  %3 = icmp ugt <8 x i16> %2, <i16 31744, i16 31744, i16 31744, i16 31744, i16 31744, i16 31744, i16 31744, i16 31744>
  %4 = fpext <8 x half> %a to <8 x float>
  %5 = fpext <8 x half> %b to <8 x float>
  %6 = fcmp olt <8 x float> %4, %5
  %both = and <8 x i1> %3, %6
  ret <8 x i1> %both
}
