// N bodies: 1024 stars pull at each other, and each of a block's threads reads them all from shared memory
//
// `move` computes new places, `fade` and `draw` make light of them: several stars may hit one pixel, so `draw` adds by
// atomics. Replace atomicAdd() by +=, and see where stars are lost. The mouse is a heavy star.
const int bodies = 1024, threads = 256;

__device__ int number() {  // of this thread among all
  return (blockIdx.y * gridDim.x + blockIdx.x) * threads + threadIdx.y * blockDim.x + threadIdx.x;
}

__global__ void move(uchar4* out, int w, int h, float time, float2 mouse, int frame, float4* even, float4* odd,
                     float* light) {
  __shared__ float4 tile[threads];
  float4* now = frame % 2 == 0 ? even : odd;  // place, then speed
  const float4* was = frame % 2 == 0 ? odd : even;
  int me = number(), lane = me % threads;
  if (me - lane >= bodies) return;  // the whole block has nothing to do

  float4 own = was[me];
  if (frame == 0) {
    float angle = 2.39996f * me, far = 0.06f + 0.4f * sqrtf(float(me) / bodies), speed = 0.11f * sqrtf(far);
    own = make_float4(0.5f + far * cosf(angle), 0.5f + far * sinf(angle), -speed * sinf(angle), speed * cosf(angle));
  } else {
    float2 pull = make_float2(0, 0);
    for (int first = 0; first < bodies; first += threads) {
      tile[lane] = was[first + lane];
      __syncthreads();
      for (int n = 0; n < threads; ++n) {
        float dx = tile[n].x - own.x, dy = tile[n].y - own.y;
        float near = rsqrtf(dx * dx + dy * dy + 2e-4f), force = near * near * near;
        pull.x += force * dx, pull.y += force * dy;
      }
      __syncthreads();
    }
    float dx = mouse.x / w - own.x, dy = mouse.y / h - own.y, near = rsqrtf(dx * dx + dy * dy + 1e-3f);
    pull.x = 3e-6f * pull.x + 1e-3f * near * near * near * dx;
    pull.y = 3e-6f * pull.y + 1e-3f * near * near * near * dy;
    const float step = 1 / 30.0f;
    own.z += step * pull.x, own.w += step * pull.y;
    own.x += step * own.z, own.y += step * own.w;
  }
  now[me] = own;
}

__global__ void fade(uchar4* out, int w, int h, float time, float2 mouse, int frame, float4* even, float4* odd,
                     float* light) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) light[y * w + x] *= 0.92f;
}

__global__ void draw(uchar4* out, int w, int h, float time, float2 mouse, int frame, float4* even, float4* odd,
                     float* light) {
  int me = number();
  if (me >= bodies) return;
  float4 own = (frame % 2 == 0 ? even : odd)[me];
  int x = int(own.x * w), y = int(own.y * h);
  if (x >= 0 && x < w && y >= 0 && y < h) atomicAdd(&light[y * w + x], 0.6f);
}

__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, float4* even, float4* odd,
                      float* light) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float bright = light[y * w + x];
  out[y * w + x] = make_uchar4(255 * fminf(bright, 1), 255 * fminf(bright * 0.8f, 1), 255 * fminf(0.08f + bright * 1.4f, 1), 255);
}
