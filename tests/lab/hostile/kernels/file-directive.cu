// verdict: forbidden
// says: /proc/kmsg
// The same, written in PTX, and the file has no end.
extern "C" __global__ void add_ten(float* out, const float* a) {
  asm volatile(".file 77 \"/proc/kmsg\"\n.loc 77 1 1");
  out[threadIdx.x + 1] = a[threadIdx.x] + 10;
}
