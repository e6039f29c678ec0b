// An image turned by an angle, through a texture: each thread samples a point between pixels, and the texture unit
// blends the
// four around it. Samples outside the image have the border colour.
//
//     warpwise run examples/rotate.cu [width] [height] [degrees]
#include "common.h"

__global__ void rotate(cudaTextureObject_t image, float* out, int width, int height, float cosine, float sine) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= width || y >= height) return;
  float u = x + 0.5f - width * 0.5f, v = y + 0.5f - height * 0.5f;
  out[y * width + x] = tex2D<float>(image, cosine * u - sine * v + width * 0.5f, sine * u + cosine * v + height * 0.5f);
}

// The same with exact weights; the texture unit's have 8 bits.
float sample(const std::vector<float>& image, int width, int height, float x, float y) {
  auto pixel = [&](int i, int j) { return i < 0 || j < 0 || i >= width || j >= height ? 0.0f : image[size_t(j) * width + i]; };
  float left = std::floor(x - 0.5f), top = std::floor(y - 0.5f), a = x - 0.5f - left, b = y - 0.5f - top;
  int i = int(left), j = int(top);
  return (1 - b) * ((1 - a) * pixel(i, j) + a * pixel(i + 1, j)) + b * ((1 - a) * pixel(i, j + 1) + a * pixel(i + 1, j + 1));
}

int main(int argc, char** argv) {
  int width = argument(argc, argv, 1, 320), height = argument(argc, argv, 2, 200), degrees = argument(argc, argv, 3, 30);
  float angle = degrees * 3.14159265f / 180, cosine = std::cos(angle), sine = std::sin(angle);
  std::vector<float> image = random_floats(size_t(width) * height), want(image.size());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      float u = x + 0.5f - width * 0.5f, v = y + 0.5f - height * 0.5f;
      want[size_t(y) * width + x] = sample(image, width, height, cosine * u - sine * v + width * 0.5f, sine * u + cosine * v + height * 0.5f);
    }

  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t array;
  CUDA_CHECK(cudaMallocArray(&array, &format, width, height));
  CUDA_CHECK(cudaMemcpy2DToArray(array, 0, 0, image.data(), width * sizeof(float), width * sizeof(float), height, cudaMemcpyHostToDevice));
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = array;
  cudaTextureDesc description{};
  description.addressMode[0] = description.addressMode[1] = cudaAddressModeBorder;
  description.filterMode = cudaFilterModeLinear;
  cudaTextureObject_t texture;
  CUDA_CHECK(cudaCreateTextureObject(&texture, &resource, &description, nullptr));

  DeviceArray<float> out(image.size());
  dim3 block(32, 8), grid(divide_up(width, 32), divide_up(height, 8));
  rotate<<<grid, block>>>(texture, out.data, width, height, cosine, sine);
  check_kernel();
  Verdict verdict;
  verdict.check("rotate", out.to_host(), want, 0.01);
  CUDA_CHECK(cudaDestroyTextureObject(texture));
  CUDA_CHECK(cudaFreeArray(array));
  return verdict.finish("rotate");
}
