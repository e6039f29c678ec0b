// The kernel of sgemm_tiled.cu in OpenCL C.
#define TILE 16

__kernel void sgemm_tiled(__global const float* a, __global const float* b, __global float* c, int n) {
  __local float tile_a[TILE][TILE], tile_b[TILE][TILE];
  int x = get_local_id(0), y = get_local_id(1);
  int column = get_group_id(0) * TILE + x, row = get_group_id(1) * TILE + y;
  float sum = 0;
  for (int t = 0; t < n / TILE; ++t) {
    tile_a[y][x] = a[row * n + t * TILE + x];
    tile_b[y][x] = b[(t * TILE + y) * n + column];
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < TILE; ++k) sum += tile_a[y][k] * tile_b[k][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  c[row * n + column] = sum;
}
