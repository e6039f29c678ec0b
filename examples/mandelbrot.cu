// The Mandelbrot set as a picture: one thread per pixel, each with its own number of steps, so the
// lanes of a warp leave the loop one after the other.
//
//     warpwise run examples/mandelbrot.cu [width] [height] [steps] [file.png]
#include "common.h"
#include "png.h"

// Host and device run the same code; both keep multiplication and addition apart (__fmul_rn, or the
// compiler may fuse them), so that they count the same steps at the rim of the set too.
__host__ __device__ inline float multiply(float a, float b) {
#ifdef __CUDA_ARCH__
  return __fmul_rn(a, b);
#else
  volatile float product = a * b;
  return product;
#endif
}

__host__ __device__ inline int escape_steps(int px, int py, int width, int height, int limit) {
  float scale = 3.0f / float(width);
  float cr = multiply(float(px), scale) - 2.1f;
  float ci = multiply(float(py) - 0.5f * float(height), scale);
  float zr = 0, zi = 0;
  for (int step = 0; step < limit; ++step) {
    float rr = multiply(zr, zr), ii = multiply(zi, zi);
    if (rr + ii > 4.0f) return step;
    zi = multiply(2.0f * zr, zi) + ci;
    zr = rr - ii + cr;
  }
  return limit;
}

__global__ void mandelbrot(int* steps, int width, int height, int limit) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) steps[y * width + x] = escape_steps(x, y, width, height, limit);
}

int main(int argc, char** argv) {
  int width = argument(argc, argv, 1, 384), height = argument(argc, argv, 2, 256), limit = argument(argc, argv, 3, 128);
  DeviceArray<int> dsteps(size_t(width) * height);
  dim3 block(32, 8), grid(divide_up(width, 32), divide_up(height, 8));
  mandelbrot<<<grid, block>>>(dsteps.data, width, height, limit);
  check_kernel();
  std::vector<int> steps = dsteps.to_host();

  bool same = true;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) same = same && steps[y * width + x] == escape_steps(x, y, width, height, limit);
  Verdict verdict;
  verdict.check("steps as on the CPU", same);

  if (argc > 4) {
    png::Bytes rgb;
    for (int count : steps) {
      double t = count == limit ? 0.0 : std::sqrt(double(count) / limit);
      double inside = count == limit ? 0.0 : 1.0;
      for (double phase : {0.0, 0.15, 0.35})
        rgb.push_back((unsigned char)(255 * inside * (0.5 - 0.5 * std::cos(6.2831853 * (t + phase)))));
    }
    verdict.check("picture written", png::write(argv[4], width, height, rgb));
    std::printf("  %s\n", argv[4]);
  }
  return verdict.finish("mandelbrot");
}
