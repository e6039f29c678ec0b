// The kernel of stencil.cu in OpenCL C.
__kernel void stencil(__global const float* in, __global float* out, int width, int height, float centre, float side) {
  int x = get_global_id(0), y = get_global_id(1);
  if (x >= width || y >= height) return;
  int i = y * width + x;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1)
    out[i] = centre * in[i] + side * (in[i - 1] + in[i + 1] + in[i - width] + in[i + width]);
  else
    out[i] = in[i];
}
