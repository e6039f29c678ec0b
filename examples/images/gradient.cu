// Gradient: each thread computes the colour of one pixel from its place, and knows of no other
//
// 512 x 512 threads run this function, in blocks of 32 x 8. Move the mouse; change a number, and see.
__global__ void image(uchar4* out, int w, int h, float time, float2 mouse, int frame) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;

  float red = float(x) / w, green = float(y) / h;
  float blue = 0.5f + 0.5f * sinf(time);
  // Closer to the mouse it is brighter.
  float light = 1 / (1 + hypotf(x - mouse.x, y - mouse.y) * 8 / w);
  out[y * w + x] = make_uchar4(255 * fminf(red + light, 1), 255 * fminf(green + light, 1), 255 * fminf(blue + light, 1), 255);
}
