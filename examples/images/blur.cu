// Blur: a block loads a tile with its rim into shared memory once, and its threads read it 81 times
//
// Two kernels run for each frame: `scene` paints what is to be blurred, `image` blurs it around the mouse. Leave out
// __syncthreads(), and see which pixels read before the tile is there.
__global__ void scene(uchar4* out, int w, int h, float time, float2 mouse, int frame, float4* picture) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int square = (x + int(20 * time)) / 32 + y / 32;
  bool ring = fmodf(hypotf(x - w / 2, y - h / 2) - 15 * time + 6000, 60) < 20;
  picture[y * w + x] = square % 2 == 0 ? make_float4(0.95f, 0.8f, 0.3f, 0) : make_float4(0.1f, 0.25f, 0.5f, 0);
  if (ring) picture[y * w + x] = make_float4(0.85f, 0.2f, 0.25f, 0);
}

const int radius = 4, columns = 32, rows = 8;

__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, const float4* picture) {
  __shared__ float4 tile[rows + 2 * radius][columns + 2 * radius];
  int left = blockIdx.x * columns, top = blockIdx.y * rows;
  for (int ty = threadIdx.y; ty < rows + 2 * radius; ty += rows)
    for (int tx = threadIdx.x; tx < columns + 2 * radius; tx += columns) {
      int px = min(max(left + tx - radius, 0), w - 1), py = min(max(top + ty - radius, 0), h - 1);
      tile[ty][tx] = picture[py * w + px];
    }
  __syncthreads();

  int x = left + threadIdx.x, y = top + threadIdx.y;
  if (x >= w || y >= h) return;
  // Near the mouse it stays sharp.
  float width = fminf(hypotf(x - mouse.x, y - mouse.y) / 40, 3) + 0.01f;
  float4 sum = make_float4(0, 0, 0, 0);
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx) {
      float weight = expf(-(dx * dx + dy * dy) / (2 * width * width));
      float4 one = tile[threadIdx.y + radius + dy][threadIdx.x + radius + dx];
      sum.x += weight * one.x, sum.y += weight * one.y, sum.z += weight * one.z, sum.w += weight;
    }
  out[y * w + x] = make_uchar4(255 * sum.x / sum.w, 255 * sum.y / sum.w, 255 * sum.z / sum.w, 255);
}
