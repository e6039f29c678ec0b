// The kernel of softmax.cu in OpenCL C.
__kernel void softmax(__global const float* in, __global float* out, int columns) {
  __local float part[256];
  __global const float* row = in + get_group_id(0) * columns;
  __global float* result = out + get_group_id(0) * columns;
  int t = get_local_id(0), threads = get_local_size(0);

  float most = -INFINITY;
  for (int i = t; i < columns; i += threads) most = fmax(most, row[i]);
  part[t] = most;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = threads / 2; offset > 0; offset /= 2) {
    if (t < offset) part[t] = fmax(part[t], part[t + offset]);
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  most = part[0];
  barrier(CLK_LOCAL_MEM_FENCE);

  float sum = 0;
  for (int i = t; i < columns; i += threads) {
    float power = exp(row[i] - most);
    result[i] = power;
    sum += power;
  }
  part[t] = sum;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int offset = threads / 2; offset > 0; offset /= 2) {
    if (t < offset) part[t] += part[t + offset];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  float scale = 1.0f / part[0];
  for (int i = t; i < columns; i += threads) result[i] *= scale;
}
