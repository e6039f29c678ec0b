// The kernel of n_body.cu in OpenCL C.
__kernel void n_body(__global const float4* bodies, __global float4* accelerations, int n, float softening) {
  __local float4 tile[256];
  int i = get_global_id(0), t = get_local_id(0);
  float4 me = bodies[i];
  float ax = 0, ay = 0, az = 0;
  for (int start = 0; start < n; start += get_local_size(0)) {
    tile[t] = bodies[start + t];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int j = 0; j < 256; ++j) {
      float4 other = tile[j];
      float dx = other.x - me.x, dy = other.y - me.y, dz = other.z - me.z;
      float inverse = rsqrt(dx * dx + dy * dy + dz * dz + softening);
      float pull = other.w * inverse * inverse * inverse;
      ax += dx * pull;
      ay += dy * pull;
      az += dz * pull;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  accelerations[i] = (float4)(ax, ay, az, 0);
}
