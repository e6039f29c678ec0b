// verdict: forbidden
// says: .file
// A file through the assembler of the device: no name of a file in it may come from the source.
extern "C" __global__ void add_ten(float* out, const float* a) {
  int i = threadIdx.x;
  asm volatile(".file \"/etc/passwd\"; .incbin \"/etc/passwd\";");
  out[i] = a[i] + 10;
}
