; Not a power of two; perhaps none; a constant, which LLVM knows; a type whose exponent is too short.
define float @f(float %x, i32 %n, i1 %c, half %h) {
  %three = shl i32 3, %n
  %of_three = sitofp i32 %three to float
  %a = fdiv float %x, %of_three
  %one = shl i32 1, %n
  %either = select i1 %c, i32 %one, i32 %n
  %of_either = sitofp i32 %either to float
  %b = fdiv float %a, %of_either
  %d = fdiv float %b, 8.000000e+00
  %of_one = uitofp i32 %one to half
  %short = fdiv half %h, %of_one
  %e = fpext half %short to float
  %r = fdiv float %d, %e
  ret float %r
}

; stays
