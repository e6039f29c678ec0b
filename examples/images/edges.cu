// Edges: what changes from pixel to pixel, by Sobel's two filters
//
// `scene` paints moving discs, `image` finds their rims. Left of the mouse you see the discs themselves.
__global__ void scene(uchar4* out, int w, int h, float time, float2 mouse, int frame, float* brightness) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float light = 0.1f;
  for (int disc = 0; disc < 7; ++disc) {
    float cx = w * (0.5f + 0.4f * sinf(time * (0.3f + 0.1f * disc) + disc));
    float cy = h * (0.5f + 0.4f * cosf(time * (0.2f + 0.13f * disc) + 2 * disc));
    if (hypotf(x - cx, y - cy) < 20 + 9 * disc) light = 0.3f + 0.1f * disc;
  }
  brightness[y * w + x] = light;
}

__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, const float* brightness) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  auto at = [&](int dx, int dy) {
    return brightness[min(max(y + dy, 0), h - 1) * w + min(max(x + dx, 0), w - 1)];
  };
  float across = at(1, -1) + 2 * at(1, 0) + at(1, 1) - at(-1, -1) - 2 * at(-1, 0) - at(-1, 1);
  float down = at(-1, 1) + 2 * at(0, 1) + at(1, 1) - at(-1, -1) - 2 * at(0, -1) - at(1, -1);
  float edge = fminf(hypotf(across, down), 1), light = at(0, 0);
  if (x < mouse.x)
    out[y * w + x] = make_uchar4(255 * light, 230 * light, 190 * light, 255);
  else
    out[y * w + x] = make_uchar4(255 * edge, 180 * edge, 40 + 60 * edge, 255);
}
