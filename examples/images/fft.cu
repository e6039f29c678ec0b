// A filter by Fourier transforms: the picture becomes waves, the fine ones go, and the rest becomes a picture again
// size: 256 x 256
// block: 256 x 1
//
// A block transforms a row, then another kernel a column: log2(256) = 8 rounds in shared memory, with a barrier after
// each. Only waves that are longer than the mouse is far to the left stay.
const int n = 256;

// Of the block's 256 numbers, one for each thread. `sign`: -1 to waves, +1 back.
__device__ float2 transformed(float2 value, float2* shared, float sign) {
  int me = threadIdx.x;
  shared[__brev(me) >> 24] = value;
  __syncthreads();
  for (int half = 1; half < n; half *= 2) {
    // The pair of numbers that are half apart: the lower one takes their sum, the upper one their difference.
    int low = me & ~half, place = me & (half - 1);
    float sine, cosine;
    sincosf(sign * 3.14159265f * place / half, &sine, &cosine);
    float2 a = shared[low], b = shared[low + half];
    float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
    float s = me & half ? -1 : 1;
    __syncthreads();
    shared[me] = make_float2(a.x + s * turned.x, a.y + s * turned.y);
    __syncthreads();
  }
  return shared[me];
}

__global__ void rows(uchar4* out, int w, int h, float time, float2 mouse, int frame, float2* waves) {
  __shared__ float2 shared[n];
  int x = threadIdx.x, y = blockIdx.y;
  float angle = 0.2f * time, u = (x - 128) * cosf(angle) - (y - 128) * sinf(angle);
  float v = (x - 128) * sinf(angle) + (y - 128) * cosf(angle);
  bool inside = fabsf(u) < 60 && fabsf(v) < 60, star = fabsf(u * v) < 500 && hypotf(u, v) < 115;
  float light = inside != star ? 1 : 0.15f;
  waves[y * n + x] = transformed(make_float2(light, 0), shared, -1);
}

__global__ void columns(uchar4* out, int w, int h, float time, float2 mouse, int frame, float2* waves) {
  __shared__ float2 shared[n];
  int x = blockIdx.y, y = threadIdx.x;
  float2 wave = transformed(waves[y * n + x], shared, -1);
  int fx = x < n / 2 ? x : x - n, fy = y < n / 2 ? y : y - n;  // how many waves fit into the picture
  float limit = 2 + 0.5f * mouse.x, keep = 1 / (1 + expf(hypotf(fx, fy) - limit));
  __syncthreads();
  waves[y * n + x] = transformed(make_float2(keep * wave.x, keep * wave.y), shared, 1);
}

__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, float2* waves) {
  __shared__ float2 shared[n];
  int x = threadIdx.x, y = blockIdx.y;
  float light = transformed(waves[y * n + x], shared, 1).x / (n * n);
  float bright = fminf(fmaxf(light, 0), 1);
  out[y * w + x] = make_uchar4(255 * bright, 255 * bright * bright, 90 + 80 * bright, 255);
}
