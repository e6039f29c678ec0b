// The kernel of scan.cu in OpenCL C.
__kernel void scan(__global const int* in, __global int* out, int n) {
  __local int part[256];
  int t = get_local_id(0), i = get_global_id(0);
  part[t] = i < n ? in[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = 1; offset < get_local_size(0); offset *= 2) {
    int before = t >= offset ? part[t - offset] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    part[t] += before;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (i < n) out[i] = part[t];
}
