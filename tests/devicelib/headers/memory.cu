// Cache hints, address spaces, the heap, memcpy.
// has: ld.global.nc.f32
// has: ld.global.nc.v4.f32
// has: ld.global.cg.u32
// has: ld.global.cs.v2.u64
// has: st.global.wt.u64
// has: isspacep.shared
#include <cstring>
__global__ void hints(float* f, float4* f4, int* i, double* d, char* c, short2* s) {
  f[0] = __ldg(f + 1) + __ldg(&f4[1]).x + __ldg(d) + __ldg(i) + __ldg(c) + __ldg(s).x;
  f[1] = __ldcg(i) + __ldca(d) + __ldcs(f4).y + __ldlu(f + 2) + __ldcv(c) + __ldcg(s).y;
  __stwb(f + 3, 1.0f), __stcg(f4, make_float4(1, 2, 3, 4)), __stcs(i, 3), __stwt(d, 2.0), __stcg(s, make_short2(1, 2)), __stcs(c, 'x');
}
__global__ void spaces(int* p, size_t* r) {
  __shared__ int s[4];
  s[threadIdx.x & 3] = 0;
  int* q = p[0] ? p : s;
  r[0] = __isShared(q) + __isGlobal(q) + __isLocal(q) + __isConstant(q) + __cvta_generic_to_shared(s) + __cvta_generic_to_global(p);
  *static_cast<int*>(__cvta_shared_to_generic(__cvta_generic_to_shared(s))) = 3;
  p[2] = s[0];
}
struct Shape {
  virtual __device__ ~Shape() {}
  virtual __device__ float area() const = 0;
};
struct Square : Shape {
  float a;
  __device__ explicit Square(float side) : a(side) {}
  __device__ float area() const override { return a * a; }
};
__global__ void heap(float* out) {
  Shape* s = new Square(out[0]);
  out[1] = s->area();
  delete s;
  int* many = new int[out[2] > 0 ? 8 : 16];
  memset(many, 0, 32);
  many[3] = 4;
  void* raw = malloc(64);
  memcpy(raw, many, 32);
  out[3] = static_cast<int*>(raw)[3];
  free(raw);
  delete[] many;
}
__global__ void machine(long long* t) {
  t[0] = clock64() + clock();
  __nanosleep(20);
  if (t[1]) __trap();
  if (t[2]) __brkpt();
  __builtin_assume(t[3] > 0);
  __prof_trigger(1);
}
