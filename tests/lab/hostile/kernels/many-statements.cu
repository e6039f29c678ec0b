// verdict: does-not-compile
// says: the compiler was ended
// within: 20
// A kernel of 262144 statements with a branch at each: the optimiser does not finish.
#define S0 if (x > 0) x = x * 1.0001f + y; else y = y - x;
#define S1 S0 S0 S0 S0 S0 S0 S0 S0
#define S2 S1 S1 S1 S1 S1 S1 S1 S1
#define S3 S2 S2 S2 S2 S2 S2 S2 S2
#define S4 S3 S3 S3 S3 S3 S3 S3 S3
#define S5 S4 S4 S4 S4 S4 S4 S4 S4
#define S6 S5 S5 S5 S5 S5 S5 S5 S5
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  float x = a[i], y = i;
  S6
  if (x == 12345 && y == 54321) return;
  out[i] = a[i] + 10;
}
