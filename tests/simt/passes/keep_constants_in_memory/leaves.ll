; Few constants.
define <4 x i32> @f(<4 x i32> %x) {
  %a = add <4 x i32> %x, <i32 1, i32 2, i32 3, i32 4>
  %b = mul <4 x i32> %a, <i32 7, i32 7, i32 7, i32 7>
  ret <4 x i32> %b
}

; stays
