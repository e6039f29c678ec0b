; The host's additions of integers and of f64 are those of PTX.
define void @f(ptr %p, i32 %x, double %y) {
  %a = atomicrmw add ptr %p, i32 %x monotonic, align 4
  %b = atomicrmw fadd ptr %p, double %y monotonic, align 8
  ret void
}

; stays
