// Texture and surface references, which CUDA 12 removed: bound to linear and pitched memory and to arrays, bound again
// while kernels wait,
// read as floats, and bound wrongly. Current versions of nvcc do not compile it.
#include <cstdio>
#include <vector>

texture<float, cudaTextureType1D, cudaReadModeElementType> linear;
static texture<uchar4, 2, cudaReadModeNormalizedFloat> image;
texture<int2> pairs;
texture<float, 3> volume;
surface<void, cudaSurfaceType2D> drawing;

static __device__ float reach(int i) { return tex1Dfetch(linear, i); }

__global__ void read_linear(float* out, int n) {
  int i = threadIdx.x;
  if (i < n) out[i] = reach(n - 1 - i) + tex1Dfetch(pairs, i).y;
}
__global__ void read_image(float4* out, int width) {
  out[threadIdx.y * width + threadIdx.x] = tex2D(image, threadIdx.x + 0.5f, threadIdx.y + 0.5f);
}
__global__ void read_volume(float* out) { out[threadIdx.x] = tex3D(volume, threadIdx.x + 0.5f, 1.0f, 0.5f); }
__global__ void draw() { surf2Dwrite(threadIdx.x * 10 + threadIdx.y, drawing, threadIdx.x * 4, threadIdx.y); }

template <class T> void show(const char* title, const T* device, int count) {
  std::vector<T> host(count);
  cudaMemcpy(host.data(), device, count * sizeof(T), cudaMemcpyDeviceToHost);
  printf("%s:", title);
  for (const T& value : host) printf(" %g", double(value));
  printf("\n");
}
#define SAY(call) printf("%s: %s\n", #call, cudaGetErrorName(call))

int main() {
  float *out, *numbers;
  int2* couples;
  cudaMalloc(&out, 1024);
  cudaMalloc(&numbers, 4096);
  cudaMalloc(&couples, 4096);
  std::vector<float> f(1024);
  std::vector<int2> c(512);
  for (int i = 0; i < 1024; ++i) f[i] = i;
  for (int i = 0; i < 512; ++i) c[i] = {i, 100 * i};
  cudaMemcpy(numbers, f.data(), 4096, cudaMemcpyHostToDevice);
  cudaMemcpy(couples, c.data(), 4096, cudaMemcpyHostToDevice);

  SAY(cudaBindTexture(nullptr, linear, numbers, 4096));
  SAY(cudaBindTexture(nullptr, pairs, couples));
  read_linear<<<1, 32>>>(out, 8);
  show("linear", out, 8);

  size_t offset = 0;
  SAY(cudaBindTexture(nullptr, linear, numbers + 4, 64));
  SAY(cudaBindTexture(&offset, linear, numbers + 4, 64));
  SAY(cudaGetTextureAlignmentOffset(&offset, linear));
  printf("offset %zu\n", offset);
  // The kernel that was launched before reads what was bound before.
  SAY(cudaBindTexture(nullptr, linear, numbers, linear.channelDesc));
  read_linear<<<1, 32>>>(out, 4);
  SAY(cudaBindTexture(nullptr, linear, numbers + 128, 2048));
  read_linear<<<1, 32>>>(out + 4, 4);
  show("bound twice", out, 8);

  uchar4* pixels;
  size_t pitch;
  cudaMallocPitch(&pixels, &pitch, 4 * sizeof(uchar4), 2);
  uchar4 host[8];
  for (int i = 0; i < 8; ++i) host[i] = make_uchar4(i * 51 % 256, 255, 0, 51);
  cudaMemcpy2D(pixels, pitch, host, 16, 16, 2, cudaMemcpyHostToDevice);
  image.addressMode[0] = cudaAddressModeClamp;
  image.filterMode = cudaFilterModePoint;
  SAY(cudaBindTexture2D(nullptr, image, pixels, cudaCreateChannelDesc<uchar4>(), 4, 2, pitch));
  read_image<<<1, dim3(4, 2)>>>((float4*)out, 4);
  show("image", out, 32);

  cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaArray_t box;
  cudaMalloc3DArray(&box, &format, make_cudaExtent(4, 2, 1));
  cudaMemcpy3DParms copy = {};
  copy.srcPtr = make_cudaPitchedPtr(f.data(), 16, 4, 2);
  copy.dstArray = box;
  copy.extent = make_cudaExtent(4, 2, 1);
  copy.kind = cudaMemcpyHostToDevice;
  cudaMemcpy3D(&copy);
  volume.filterMode = cudaFilterModeLinear;
  SAY(cudaBindTextureToArray(volume, box));
  read_volume<<<1, 4>>>(out);
  show("volume", out, 4);

  cudaChannelFormatDesc words = cudaCreateChannelDesc<int>();
  cudaArray_t canvas;
  cudaMallocArray(&canvas, &words, 4, 2, cudaArraySurfaceLoadStore);
  SAY(cudaBindSurfaceToArray(drawing, canvas));
  draw<<<1, dim3(4, 2)>>>();
  int drawn[8];
  cudaMemcpy2DFromArray(drawn, 16, canvas, 0, 0, 16, 2, cudaMemcpyDeviceToHost);
  for (int value : drawn) printf(" %d", value);
  printf("\n");

  const textureReference* found = nullptr;
  SAY(cudaGetTextureReference(&found, &image));
  printf("itself: %d\n", found == &image);
  SAY(cudaUnbindTexture(image));
  SAY(cudaGetTextureAlignmentOffset(&offset, image));
  SAY(cudaBindTextureToArray(volume, nullptr));
}
