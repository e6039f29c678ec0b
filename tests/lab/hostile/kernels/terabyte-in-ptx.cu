// verdict: out-of-bounds
// A local variable of a terabyte in inline PTX.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  asm volatile("{ .local .b8 much[1099511627776]; .reg .b64 at; mov.u64 at, much; st.local.u8 [at], 1; }");
  out[i] = a[i] + 10;
}
