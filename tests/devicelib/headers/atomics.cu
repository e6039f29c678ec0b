// Every atomic function in every type and scope.
// has: atom.cta
// has: atom.sys
// has: atom.cas.b16
template <class T> __device__ void arithmetic(T* p, T v) {
  v += atomicAdd(p, v) + atomicAdd_block(p, v) + atomicAdd_system(p, v);
  v += atomicExch(p, v) + atomicExch_block(p, v) + atomicExch_system(p, v);
  p[1] = v;
}
template <class T> __device__ void order(T* p, T v) {
  v += atomicMin(p, v) + atomicMin_block(p, v) + atomicMin_system(p, v);
  v += atomicMax(p, v) + atomicMax_block(p, v) + atomicMax_system(p, v);
  v += atomicAnd(p, v) + atomicAnd_block(p, v) + atomicAnd_system(p, v);
  v += atomicOr(p, v) + atomicOr_block(p, v) + atomicOr_system(p, v);
  v += atomicXor(p, v) + atomicXor_block(p, v) + atomicXor_system(p, v);
  p[2] = v;
}
template <class T> __device__ void compare(T* p, T v) {
  p[3] = atomicCAS(p, v, T(v + 1)) + atomicCAS_block(p, v, T(v + 1)) + atomicCAS_system(p, v, T(v + 1));
}
__global__ void all(int* i, unsigned* u, long long* l, unsigned long long* ul, float* f, double* d, unsigned short* s, float2* f2, float4* f4) {
  arithmetic(i, 1), arithmetic(u, 1u), arithmetic(ul, 1ull), arithmetic(f, 1.0f);
  d[1] = atomicAdd(d, 1.0) + atomicAdd_block(d, 1.0) + atomicAdd_system(d, 1.0);
  order(i, 1), order(u, 1u), order(l, 1ll), order(ul, 1ull);
  compare(i, 1), compare(u, 1u), compare(ul, 1ull), compare(s, static_cast<unsigned short>(1));
  i[4] = atomicSub(i, 3) + atomicSub_block(i, 3) + atomicSub_system(i, 3), u[4] = atomicSub(u, 3u);
  u[5] = atomicInc(u, 7) + atomicDec(u, 7) + atomicInc_block(u, 7) + atomicDec_system(u, 7);
  atomicAdd(f2, float2{1, 2}), atomicAdd(f4, float4{1, 2, 3, 4});
}
