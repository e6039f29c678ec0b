// Flow: colour is carried along by a wind that turns in circles
//
// A thread asks where its colour has come from, instead of sending it on: so each element is written by one thread, and
// nothing races. The mouse blows.
__device__ float2 wind(float x, float y, float time, float2 mouse) {
  float2 v = make_float2(sinf(0.021f * y + 0.4f * time) + 0.6f * sinf(0.047f * y - 0.3f * time),
                         sinf(0.019f * x - 0.5f * time) + 0.6f * sinf(0.043f * x + 0.2f * time));
  float dx = x - mouse.x, dy = y - mouse.y, swirl = 3 * expf(-(dx * dx + dy * dy) / 2500);
  return make_float2(v.x - swirl * dy / 25, v.y + swirl * dx / 25);
}

__global__ void carry(uchar4* out, int w, int h, float time, float2 mouse, int frame, float4* colour, float4* next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float2 v = wind(x, y, time, mouse);
  float fx = x - 1.5f * v.x, fy = y - 1.5f * v.y;
  int x0 = int(floorf(fx)), y0 = int(floorf(fy));
  float ax = fx - x0, ay = fy - y0;
  auto at = [&](int px, int py) { return colour[(py + h) % h * w + (px + w) % w]; };
  float4 a = at(x0, y0), b = at(x0 + 1, y0), c = at(x0, y0 + 1), d = at(x0 + 1, y0 + 1);
  auto mix = [&](float p, float q, float r, float s) { return (1 - ay) * ((1 - ax) * p + ax * q) + ay * ((1 - ax) * r + ax * s); };
  float4 now = make_float4(mix(a.x, b.x, c.x, d.x), mix(a.y, b.y, c.y, d.y), mix(a.z, b.z, c.z, d.z), 0);
  // Three sources, which never run dry.
  for (int source = 0; source < 3; ++source) {
    float sx = w * (0.25f + 0.25f * source), sy = h * (0.5f + 0.3f * sinf(time + 2 * source));
    if (frame == 0 ? (x / 64 + y / 64) % 3 == source : hypotf(x - sx, y - sy) < 9)
      now = make_float4(source == 0, source == 1 ? 0.8f : 0.2f, source == 2 ? 1 : 0.1f, 0);
  }
  next[y * w + x] = now;
}

__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, float4* colour, const float4* next) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float4 now = next[y * w + x];
  colour[y * w + x] = make_float4(0.999f * now.x, 0.999f * now.y, 0.999f * now.z, 0);
  out[y * w + x] = make_uchar4(255 * now.x, 255 * now.y, 255 * now.z, 255);
}
