; A comparison is no logic.
define <8 x i32> @f(<8 x i32> %a, <8 x i32> %b) {
  %less = icmp ult <8 x i32> %a, %b
  %wide = zext <8 x i1> %less to <8 x i32>
  ret <8 x i32> %wide
}

; stays
