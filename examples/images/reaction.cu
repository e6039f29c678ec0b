// Reaction and diffusion: two substances spread, and one eats the other (Gray and Scott's model)
//
// Four kernels take four steps of time for each frame, from one array to the other and back. The mouse drops more of the
// second substance.
__device__ float2 step(const float2* from, int x, int y, int w, int h, float2 mouse, int frame) {
  if (frame == 0) {
    bool seed = (x / 16 * 7 + y / 16 * 13) % 11 == 0 && x % 16 < 8 && y % 16 < 8;
    return make_float2(1, seed ? 1 : 0);
  }
  auto at = [&](int dx, int dy) { return from[(y + dy + h) % h * w + (x + dx + w) % w]; };
  float2 here = at(0, 0), near[4] = {at(-1, 0), at(1, 0), at(0, -1), at(0, 1)};
  float2 corner[4] = {at(-1, -1), at(1, -1), at(-1, 1), at(1, 1)};
  float2 spread = make_float2(-here.x, -here.y);
  for (int n = 0; n < 4; ++n) {
    spread.x += 0.2f * near[n].x + 0.05f * corner[n].x;
    spread.y += 0.2f * near[n].y + 0.05f * corner[n].y;
  }
  float eaten = here.x * here.y * here.y;
  const float feed = 0.037f, kill = 0.06f;
  here.x += spread.x - eaten + feed * (1 - here.x);
  here.y += 0.5f * spread.y + eaten - (feed + kill) * here.y;
  if (hypotf(x - mouse.x, y - mouse.y) < 4) here.y = 0.9f;
  return here;
}

#define PLACE                                                                                             \
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;              \
  if (x >= w || y >= h) return

__global__ void first(uchar4* out, int w, int h, float time, float2 mouse, int frame, float2* one, float2* other) {
  PLACE;
  other[y * w + x] = step(one, x, y, w, h, mouse, frame);
}
__global__ void second(uchar4* out, int w, int h, float time, float2 mouse, int frame, float2* one, float2* other) {
  PLACE;
  one[y * w + x] = step(other, x, y, w, h, mouse, frame);
}
__global__ void third(uchar4* out, int w, int h, float time, float2 mouse, int frame, float2* one, float2* other) {
  PLACE;
  other[y * w + x] = step(one, x, y, w, h, mouse, frame);
}
__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, float2* one, float2* other) {
  PLACE;
  float2 now = step(other, x, y, w, h, mouse, frame);
  one[y * w + x] = now;
  float t = fminf(fmaxf(now.x - now.y, 0), 1);
  out[y * w + x] = make_uchar4(255 * t * t, 255 * (0.2f + 0.6f * t), 255 * (0.45f + 0.3f * t), 255);
}
