; A number is loaded and used as a mask.
define <32 x i1> @f(ptr %p) {
  %bits = load i32, ptr %p, align 4
  %mask = bitcast i32 %bits to <32 x i1>
  ret <32 x i1> %mask
}

; becomes
define <32 x i1> @f(ptr %p) {
  %1 = load <32 x i1>, ptr %p, align 4
  ret <32 x i1> %1
}
