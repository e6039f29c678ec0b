// The kernel of histogram_global.cu in OpenCL C.
__kernel void histogram_global(__global const uchar* bytes, __global uint* bins, int n) {
  int i = get_global_id(0);
  if (i < n) atomic_inc(&bins[bytes[i]]);
}
