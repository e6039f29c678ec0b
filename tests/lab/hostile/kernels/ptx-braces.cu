// verdict: does-not-compile
// A hundred thousand nested blocks in inline PTX: what reads them may call itself for each.
#define O0 "{{{{{{{{{{"
#define O1 O0 O0 O0 O0 O0 O0 O0 O0 O0 O0
#define O2 O1 O1 O1 O1 O1 O1 O1 O1 O1 O1
#define O3 O2 O2 O2 O2 O2 O2 O2 O2 O2 O2
#define O4 O3 O3 O3 O3 O3 O3 O3 O3 O3 O3
#define C0 "}}}}}}}}}}"
#define C1 C0 C0 C0 C0 C0 C0 C0 C0 C0 C0
#define C2 C1 C1 C1 C1 C1 C1 C1 C1 C1 C1
#define C3 C2 C2 C2 C2 C2 C2 C2 C2 C2 C2
#define C4 C3 C3 C3 C3 C3 C3 C3 C3 C3 C3
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  asm volatile(O4 C4);
  out[i] = a[i] + 10;
}
