; Floats are moved as they are.
define float @f(i1 %c, float %a, float %b) {
  %x = select i1 %c, float %a, float %b
  ret float %x
}

; stays
