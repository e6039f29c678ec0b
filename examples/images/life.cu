// Game of Life: each frame is computed from the one before, so the cells need two arrays
//
// All threads read one array and write the other, and the next frame the other way round. With a single array some
// threads would read what others have written already: replace `now` by `was` in the last line, and see the race in red.
// The mouse brings cells to life.
__device__ unsigned hash(unsigned n) {
  n = (n ^ 61) ^ (n >> 16);
  n *= 9;
  n ^= n >> 4;
  n *= 0x27d4eb2d;
  return n ^ (n >> 15);
}

__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame, unsigned char* even,
                      unsigned char* odd) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  unsigned char* now = frame % 2 == 0 ? even : odd;
  const unsigned char* was = frame % 2 == 0 ? odd : even;

  int alive = 0;
  if (frame == 0) {
    alive = hash(y * w + x) % 4 == 0;
  } else {
    int neighbours = 0;
    for (int dy = -1; dy <= 1; ++dy)
      for (int dx = -1; dx <= 1; ++dx)
        if (dx != 0 || dy != 0) neighbours += was[(y + dy + h) % h * w + (x + dx + w) % w];
    alive = neighbours == 3 || (neighbours == 2 && was[y * w + x]);
    bool touched = hypotf(x - mouse.x, y - mouse.y) < 6;
    if (touched && hash(y * w + x + frame) % 2 == 0) alive = 1;
  }
  unsigned char shade = alive ? 255 : out[y * w + x].y * 0.9f;  // what has died fades
  out[y * w + x] = make_uchar4(alive ? 255 : shade / 3, shade, alive ? 200 : shade / 2, 255);
  now[y * w + x] = alive;
}
