// verdict: does-not-compile
// A file through the assembler of the device, which has no such directive.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  asm volatile(".file \"/etc/passwd\"; .incbin \"/etc/passwd\";");
  out[i] = a[i] + 10;
}
