// The kernel of histogram_shared.cu in OpenCL C.
__kernel void histogram_shared(__global const uchar* bytes, __global uint* bins, int n) {
  __local uint own[256];
  int t = get_local_id(0);
  own[t] = 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int i = get_global_id(0); i < n; i += get_global_size(0)) atomic_inc(&own[bytes[i]]);
  barrier(CLK_LOCAL_MEM_FENCE);
  atomic_add(&bins[t], own[t]);
}
