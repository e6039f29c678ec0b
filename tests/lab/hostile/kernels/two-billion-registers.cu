// verdict: does-not-compile
// says: too many registers
// Registers in inline PTX, by a count.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  asm volatile("{ .reg .b32 many<2000000000>; mov.u32 many1999999999, 1; }");
  out[i] = a[i] + 10;
}
