; What comes from elsewhere may be subnormal, and so may what a loop carries that began with it.
define float @sum(i32 %n, float %x) {
entry:
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ %x, %entry ], [ %r, %loop ]
  %a.bits = bitcast float %total to i32
  %a.exponent = and i32 %a.bits, 2139095040
  %a.small = icmp eq i32 %a.exponent, 0
  %a.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %total)
  %a = select i1 %a.small, float %a.zero, float %total
  %s = fadd float %a, %a
  %r.bits = bitcast float %s to i32
  %r.exponent = and i32 %r.bits, 2139095040
  %r.small = icmp eq i32 %r.exponent, 0
  %r.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %s)
  %r = select i1 %r.small, float %r.zero, float %s
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  ret float %r
}

declare float @llvm.copysign.f32(float, float)

; stays
