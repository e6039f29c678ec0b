; A result has been flushed when it becomes an operand.
define float @chain(float %x, float %y) {
  %a.bits = bitcast float %x to i32
  %a.exponent = and i32 %a.bits, 2139095040
  %a.small = icmp eq i32 %a.exponent, 0
  %a.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %x)
  %a = select i1 %a.small, float %a.zero, float %x
  %b.bits = bitcast float %y to i32
  %b.exponent = and i32 %b.bits, 2139095040
  %b.small = icmp eq i32 %b.exponent, 0
  %b.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %y)
  %b = select i1 %b.small, float %b.zero, float %y
  %p = fmul float %a, %b
  %r.bits = bitcast float %p to i32
  %r.exponent = and i32 %r.bits, 2139095040
  %r.small = icmp eq i32 %r.exponent, 0
  %r.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %p)
  %r = select i1 %r.small, float %r.zero, float %p
  %c.bits = bitcast float %r to i32
  %c.exponent = and i32 %c.bits, 2139095040
  %c.small = icmp eq i32 %c.exponent, 0
  %c.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %r)
  %c = select i1 %c.small, float %c.zero, float %r
  %s = fadd float %c, 1.000000e+00
  %t.bits = bitcast float %s to i32
  %t.exponent = and i32 %t.bits, 2139095040
  %t.small = icmp eq i32 %t.exponent, 0
  %t.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %s)
  %t = select i1 %t.small, float %t.zero, float %s
  ret float %t
}

; So has what a loop carries, and an integer.
define float @sum(i32 %n, float %x) {
entry:
  %f = uitofp i32 %n to float
  %step.bits = bitcast float %f to i32
  %step.exponent = and i32 %step.bits, 2139095040
  %step.small = icmp eq i32 %step.exponent, 0
  %step.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %f)
  %step = select i1 %step.small, float %step.zero, float %f
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.000000e+00, %entry ], [ %r, %loop ]
  %a.bits = bitcast float %total to i32
  %a.exponent = and i32 %a.bits, 2139095040
  %a.small = icmp eq i32 %a.exponent, 0
  %a.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %total)
  %a = select i1 %a.small, float %a.zero, float %total
  %s = fadd float %a, %step
  %r.bits = bitcast float %s to i32
  %r.exponent = and i32 %r.bits, 2139095040
  %r.small = icmp eq i32 %r.exponent, 0
  %r.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %s)
  %r = select i1 %r.small, float %r.zero, float %s
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  %m = call float @llvm.fabs.f32(float %r)
  %last.bits = bitcast float %m to i32
  %last.exponent = and i32 %last.bits, 2139095040
  %last.small = icmp eq i32 %last.exponent, 0
  %last.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %m)
  %last = select i1 %last.small, float %last.zero, float %m
  ret float %last
}

declare float @llvm.copysign.f32(float, float)
declare float @llvm.fabs.f32(float)

; becomes
define float @chain(float %x, float %y) {
  %a.bits = bitcast float %x to i32
  %a.exponent = and i32 %a.bits, 2139095040
  %a.small = icmp eq i32 %a.exponent, 0
  %a.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %x)
  %a = select i1 %a.small, float %a.zero, float %x
  %b.bits = bitcast float %y to i32
  %b.exponent = and i32 %b.bits, 2139095040
  %b.small = icmp eq i32 %b.exponent, 0
  %b.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %y)
  %b = select i1 %b.small, float %b.zero, float %y
  %p = fmul float %a, %b
  %r.bits = bitcast float %p to i32
  %r.exponent = and i32 %r.bits, 2139095040
  %r.small = icmp eq i32 %r.exponent, 0
  %r.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %p)
  %r = select i1 %r.small, float %r.zero, float %p
  %c.bits = bitcast float %r to i32
  %c.exponent = and i32 %c.bits, 2139095040
  %c.small = icmp eq i32 %c.exponent, 0
  %c.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %r)
  %c = select i1 %c.small, float %c.zero, float %r
  %s = fadd float %r, 1.000000e+00
  %t.bits = bitcast float %s to i32
  %t.exponent = and i32 %t.bits, 2139095040
  %t.small = icmp eq i32 %t.exponent, 0
  %t.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %s)
  %t = select i1 %t.small, float %t.zero, float %s
  ret float %t
}

define float @sum(i32 %n, float %x) {
entry:
  %f = uitofp i32 %n to float
  %step.bits = bitcast float %f to i32
  %step.exponent = and i32 %step.bits, 2139095040
  %step.small = icmp eq i32 %step.exponent, 0
  %step.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %f)
  %step = select i1 %step.small, float %step.zero, float %f
  br label %loop

loop:
  %i = phi i32 [ 0, %entry ], [ %next, %loop ]
  %total = phi float [ 0.000000e+00, %entry ], [ %r, %loop ]
  %a.bits = bitcast float %total to i32
  %a.exponent = and i32 %a.bits, 2139095040
  %a.small = icmp eq i32 %a.exponent, 0
  %a.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %total)
  %a = select i1 %a.small, float %a.zero, float %total
  %s = fadd float %total, %f
  %r.bits = bitcast float %s to i32
  %r.exponent = and i32 %r.bits, 2139095040
  %r.small = icmp eq i32 %r.exponent, 0
  %r.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %s)
  %r = select i1 %r.small, float %r.zero, float %s
  %next = add i32 %i, 1
  %more = icmp ult i32 %next, %n
  br i1 %more, label %loop, label %done

done:
  %m = call float @llvm.fabs.f32(float %r)
  %last.bits = bitcast float %m to i32
  %last.exponent = and i32 %last.bits, 2139095040
  %last.small = icmp eq i32 %last.exponent, 0
  %last.zero = call float @llvm.copysign.f32(float 0.000000e+00, float %m)
  %last = select i1 %last.small, float %last.zero, float %m
  ret float %m
}
