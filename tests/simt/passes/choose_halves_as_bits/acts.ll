; A choice moves bits: it is one of integers.
define half @f(i1 %c, half %a, half %b) {
  %x = select i1 %c, half %a, half %b
  ret half %x
}

; becomes
define half @f(i1 %c, half %a, half %b) {
  %1 = bitcast half %a to i16
  %2 = bitcast half %b to i16
  %3 = select i1 %c, i16 %1, i16 %2
  %4 = bitcast i16 %3 to half
  ret half %4
}
