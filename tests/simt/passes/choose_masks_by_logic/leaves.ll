; One bit chooses for all lanes; and values that are no masks.
define <8 x i32> @f(i1 %one, <8 x i1> %c, <8 x i1> %a, <8 x i1> %b, <8 x i32> %x) {
  %mask = select i1 %one, <8 x i1> %a, <8 x i1> %b
  %both = select <8 x i1> %mask, <8 x i32> %x, <8 x i32> zeroinitializer
  ret <8 x i32> %both
}

; stays
