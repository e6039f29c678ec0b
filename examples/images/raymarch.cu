// Ray marching: each thread walks along its ray, as far as the distance to the nearest surface allows
//
// Rays that pass close to a surface take many short steps: the number of steps differs from lane to lane. The mouse
// moves the light.
__device__ float distance_to_scene(float3 p, float time) {
  float ball = sqrtf(p.x * p.x + p.y * p.y + p.z * p.z) - 0.9f;
  float bumps = 0.08f * sinf(7 * p.x + time) * sinf(7 * p.y) * sinf(7 * p.z - time);
  float ring = hypotf(hypotf(p.x, p.z) - 1.5f, p.y) - 0.18f;
  float floor = p.y + 1.2f;
  return fminf(fminf(ball + bumps, ring), floor);
}

__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;

  float u = (x - 0.5f * w) / h, v = (0.5f * h - y) / h, turn = 0.3f * time;
  float length = sqrtf(u * u + v * v + 1);
  float3 eye = make_float3(-4 * sinf(turn), 0.9f, -4 * cosf(turn));
  float3 way = make_float3((u * cosf(turn) + sinf(turn)) / length, (v - 0.2f) / length, (cosf(turn) - u * sinf(turn)) / length);

  float far = 0;
  bool hit = false;
  float3 p = eye;
  for (int step = 0; step < 80 && far < 12 && !hit; ++step) {
    float free = distance_to_scene(p, time);
    hit = free < 0.002f;
    far += 0.8f * free;
    p = make_float3(eye.x + far * way.x, eye.y + far * way.y, eye.z + far * way.z);
  }
  float light = 0, fog = expf(-0.12f * far);
  if (hit) {
    const float e = 0.003f;
    float here = distance_to_scene(p, time);
    float3 n = make_float3(distance_to_scene(make_float3(p.x + e, p.y, p.z), time) - here,
                           distance_to_scene(make_float3(p.x, p.y + e, p.z), time) - here,
                           distance_to_scene(make_float3(p.x, p.y, p.z + e), time) - here);
    float3 sun = make_float3(4 * (mouse.x / w - 0.5f), 3, 4 * (0.5f - mouse.y / h));
    float size = rsqrtf(n.x * n.x + n.y * n.y + n.z * n.z + 1e-12f) * rsqrtf(sun.x * sun.x + 9 + sun.z * sun.z);
    light = 0.15f + 0.85f * fmaxf((n.x * sun.x + n.y * sun.y + n.z * sun.z) * size, 0);
  }
  float red = hit ? light * fog : 0, green = red * 0.85f, blue = red * 0.6f + (1 - fog) * 0.35f;
  out[y * w + x] = make_uchar4(255 * fminf(red, 1), 255 * fminf(green + 0.1f * (1 - fog), 1), 255 * fminf(blue, 1), 255);
}
