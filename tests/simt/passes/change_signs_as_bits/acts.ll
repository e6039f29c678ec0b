; neg and abs change one bit: a signalling NaN stays one.
define half @f(half %a) {
  %abs = call half @llvm.fabs.f16(half %a)
  %neg = fneg half %abs
  ret half %neg
}
declare half @llvm.fabs.f16(half)

; becomes
define half @f(half %a) {
  %1 = bitcast half %a to i16
  %2 = and i16 %1, 32767
  %3 = bitcast i16 %2 to half
  %4 = bitcast half %3 to i16
  %5 = xor i16 %4, -32768
  %6 = bitcast i16 %5 to half
  ret half %6
}
