; PTX's shift of 64 bits gives 0 for more than 63: the reciprocal is infinite there. The conversion is not needed.
define float @reciprocal(i32 %n) {
  %few = icmp ult i32 %n, 64
  %wide = zext nneg i32 %n to i64
  %shifted = shl nuw i64 1, %wide
  %power = select i1 %few, i64 %shifted, i64 0
  %f = uitofp i64 %power to float
  %r = fdiv float 1.000000e+00, %f
  ret float %r
}

; The highest bit of a signed number is its sign. InstCombine may choose behind the conversion.
define float @quotient(float %x, i32 %n) {
  %few = icmp ult i32 %n, 32
  %power = shl nuw i32 1, %n
  %f = sitofp i32 %power to float
  %chosen = select i1 %few, float %f, float 0.000000e+00
  %q = fdiv float %x, %chosen
  ret float %q
}

; The divisor is used elsewhere as well, and stays.
define double @two(double %x, i32 %n) {
  %power = shl nuw nsw i32 1, %n
  %wide = zext i32 %power to i64
  %f = sitofp i64 %wide to double
  %q = fdiv double %x, %f
  %s = fadd double %q, %f
  ret double %s
}

; becomes
define float @reciprocal(i32 %n) {
  %few = icmp ult i32 %n, 64
  %1 = shl i32 %n, 23
  %2 = sub i32 1065353216, %1
  %3 = bitcast i32 %2 to float
  %r = select i1 %few, float %3, float 0x7FF0000000000000
  ret float %r
}

define float @quotient(float %x, i32 %n) {
  %few = icmp ult i32 %n, 32
  %1 = icmp eq i32 %n, 31
  %2 = select i1 %1, i32 -1082130432, i32 1065353216
  %3 = shl i32 %n, 23
  %4 = sub i32 %2, %3
  %5 = bitcast i32 %4 to float
  %6 = select i1 %few, float %5, float 0x7FF0000000000000
  %q = fmul float %x, %6
  ret float %q
}

define double @two(double %x, i32 %n) {
  %power = shl nuw nsw i32 1, %n
  %wide = zext i32 %power to i64
  %f = sitofp i64 %wide to double
  %1 = zext i32 %n to i64
  %2 = shl i64 %1, 52
  %3 = sub i64 4607182418800017408, %2
  %4 = bitcast i64 %3 to double
  %q = fmul double %x, %4
  %s = fadd double %q, %f
  ret double %s
}
