// verdict: does-not-compile
// within: 20
// A million nested unary operators: the parser calls itself for each.
#define M0 ~ ~ ~ ~ ~ ~ ~ ~ ~ ~
#define M1 M0 M0 M0 M0 M0 M0 M0 M0 M0 M0
#define M2 M1 M1 M1 M1 M1 M1 M1 M1 M1 M1
#define M3 M2 M2 M2 M2 M2 M2 M2 M2 M2 M2
#define M4 M3 M3 M3 M3 M3 M3 M3 M3 M3 M3
#define M5 M4 M4 M4 M4 M4 M4 M4 M4 M4 M4
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  int deep = M5 i;
  if (deep != i) return;
  out[i] = a[i] + 10;
}
