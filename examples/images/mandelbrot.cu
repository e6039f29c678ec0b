// Mandelbrot: lanes leave the loop one after the other, and the warp goes on until the last one is done
//
// The mouse moves the middle. At the rim of the set neighbouring pixels take very different numbers of steps: click on
// one there, and see its warp diverge.
__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;

  float zoom = expf(-1.5f + 1.5f * cosf(0.2f * time));  // from 1 to e^-3 and back
  float scale = 2.6f * zoom / h;
  float cr = -0.7436f * (1 - zoom) - 0.6f * zoom + (x - w / 2 + 0.2f * (mouse.x - w / 2)) * scale;
  float ci = 0.1318f * (1 - zoom) + (y - h / 2 + 0.2f * (mouse.y - h / 2)) * scale;
  float zr = 0, zi = 0;
  int step = 0;
  const int limit = 192;
  while (step < limit && zr * zr + zi * zi < 4) {
    float next = zr * zr - zi * zi + cr;
    zi = 2 * zr * zi + ci;
    zr = next;
    ++step;
  }
  float t = sqrtf(float(step) / limit);
  uchar4 colour = make_uchar4(0, 0, 0, 255);
  if (step < limit) {
    colour.x = 255 * (0.5f - 0.5f * cosf(6.2832f * t));
    colour.y = 255 * (0.5f - 0.5f * cosf(6.2832f * t + 0.9f));
    colour.z = 255 * (0.5f - 0.5f * cosf(6.2832f * t + 2.2f));
  }
  out[y * w + x] = colour;
}
