// The runtime's functions in kernels: memory that a kernel allocates and another one frees, errors and their texts,
// copies and fills that
// run after the kernel. (nvcc requires -rdc=true for them.)
#include <cstdio>

__device__ int* kept;

__global__ void allocate(int n) {
  int device = -1, count = 0;
  cudaGetDevice(&device);
  cudaGetDeviceCount(&count);
  printf("device %d of %d\n", device, count);
  printf("allocation: %s\n", cudaGetErrorName(cudaMalloc(&kept, n * sizeof(int))));
  for (int i = 0; i < n; ++i) kept[i] = i * i;
  printf("last error: %s, %s\n", cudaGetErrorString(cudaPeekAtLastError()), cudaGetErrorString(cudaGetLastError()));
}

__global__ void use(int* out, int n) {
  const int i = threadIdx.x;
  if (i < n) out[i] = kept[i] + 1;
  if (i == 0) {
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cudaMemcpyAsync(out + n, out, n * sizeof(int), cudaMemcpyDeviceToDevice, stream);
    cudaMemsetAsync(out + 2 * n, 1, n * sizeof(int), stream);
    cudaStreamDestroy(stream);
  }
}

__global__ void release() { printf("freed: %s\n", cudaGetErrorName(cudaFree(kept))); }

// One name in both halves finds each half's function.
__host__ __device__ const char* word(cudaError_t error) { return cudaGetErrorName(error); }
__global__ void say() { printf("kernel: %s\n", word(cudaSuccess)); }

// Copies and fills of rectangles and boxes. `m`: 4 layers of 4 rows of 8 bytes.
__global__ void boxes(char* m) {
  printf("fill: %s\n", cudaGetErrorName(cudaMemset2DAsync(m, 8, 'a', 3, 2, 0)));
  cudaPitchedPtr pitched = {m + 32, 8, 8, 4};
  cudaExtent extent = {2, 2, 2};
  printf("fill of layers: %s\n", cudaGetErrorName(cudaMemset3DAsync(pitched, 'b', extent, 0)));
  printf("copy: %s\n", cudaGetErrorName(cudaMemcpy2DAsync(m + 20, 8, m, 8, 4, 2, cudaMemcpyDeviceToDevice, 0)));
  cudaMemcpy3DParms params = {};
  params.srcPtr = pitched, params.dstPtr = pitched;
  params.dstPos.x = 5, params.dstPos.y = 1, params.dstPos.z = 1;
  params.extent = extent, params.kind = cudaMemcpyDeviceToDevice;
  printf("copy of layers: %s\n", cudaGetErrorName(cudaMemcpy3DAsync(&params, 0)));
  params.srcArray = reinterpret_cast<cudaArray_t>(m);
  printf("an array: %d\n", cudaMemcpy3DAsync(&params, 0));
}
static void show_boxes() {
  char *m, text[128];
  cudaMalloc(&m, 128);
  cudaMemset(m, '.', 128);
  boxes<<<1, 1>>>(m);
  cudaMemcpy(text, m, 128, cudaMemcpyDeviceToHost);
  for (int row = 0; row < 16; ++row) printf("%.8s%c", text + 8 * row, row % 4 == 3 ? '\n' : ' ');
  cudaFree(m);
}

int main() {
  constexpr int kCount = 8;
  int* out;
  cudaMallocManaged(&out, 3 * kCount * sizeof(int));
  allocate<<<1, 1>>>(kCount);
  use<<<1, 32>>>(out, kCount);
  release<<<1, 1>>>();
  say<<<1, 1>>>();
  if (cudaDeviceSynchronize() != cudaSuccess) return 1;
  for (int i = 0; i < 3 * kCount; ++i) printf("%d%c", out[i], i % kCount == kCount - 1 ? '\n' : ' ');
  printf("host: %s\n", word(cudaErrorInvalidValue));
  show_boxes();
  return cudaGetLastError();
}
