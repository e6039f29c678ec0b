// The kernel of block_sum.cu in OpenCL C.
__kernel void block_sum(__global const float* x, __global float* sums, int n) {
  __local float part[256];
  int t = get_local_id(0), i = get_global_id(0);
  part[t] = i < n ? x[i] : 0.0f;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = get_local_size(0) / 2; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + offset];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = part[0];
}
