// The kernel of transpose_naive.cu in OpenCL C.
__kernel void transpose_naive(__global const float* in, __global float* out, int n) {
  int x = get_global_id(0), y = get_global_id(1);
  out[x * n + y] = in[y * n + x];
}
