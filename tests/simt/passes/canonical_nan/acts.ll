; The sum is computed: where it is a NaN, its bits are those of PTX's canonical NaN. The number that was only loaded
; keeps its bits.
define void @kernel(float %a, ptr addrspace(1) %p) {
  %sum = fadd float %a, 1.0
  %marked = call float @ww.canonical.f32(float %sum)
  store float %marked, ptr addrspace(1) %p
  %loaded = load float, ptr addrspace(1) %p
  %moved = call float @ww.canonical.f32(float %loaded)
  store float %moved, ptr addrspace(1) %p
  ret void
}
declare float @ww.canonical.f32(float)

; becomes
define void @kernel(float %a, ptr addrspace(1) %p) {
  %sum = fadd float %a, 1.000000e+00
  %1 = fcmp uno float %sum, %sum
  %2 = select i1 %1, float 0x7FFFFFFFE0000000, float %sum
  store float %2, ptr addrspace(1) %p, align 4
  %loaded = load float, ptr addrspace(1) %p, align 4
  store float %loaded, ptr addrspace(1) %p, align 4
  ret void
}
