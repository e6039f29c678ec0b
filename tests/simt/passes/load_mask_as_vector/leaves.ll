; The number has another use.
define <32 x i1> @f(ptr %p, ptr %q) {
  %bits = load i32, ptr %p, align 4
  store i32 %bits, ptr %q, align 4
  %mask = bitcast i32 %bits to <32 x i1>
  ret <32 x i1> %mask
}

; stays
