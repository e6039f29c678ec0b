// The kernel of mandelbrot.cu in OpenCL C.
__kernel void mandelbrot(__global int* steps, int width, int height, float scale, int limit) {
  int column = get_global_id(0), row = get_global_id(1);
  if (column >= width || row >= height) return;
  float x0 = fma((float)column, scale, -2.0f), y0 = fma((float)row, scale, -1.5f);
  float x = 0, y = 0;
  int step = 0;
  while (fma(x, x, y * y) < 4.0f && step < limit) {
    float next = fma(x, x, fma(-y, y, x0));
    y = fma(x + x, y, y0);
    x = next;
    ++step;
  }
  steps[row * width + column] = step;
}
