; Of floats the processor changes the bit itself.
define float @f(float %a) {
  %neg = fneg float %a
  ret float %neg
}

; stays
