// Kernels that launch kernels: with arguments, nested, into streams, after the parent's end; and a sum by recursion.
#include <cuda_runtime.h>

#include <cstdio>

__device__ int order[64];
__device__ int used;

__device__ void note(int what) { order[atomicAdd(&used, 1)] = what; }

struct Pair {
  long long a;
  char b;
};

__global__ void leaf(int what, Pair pair, const int* data) { note(what + static_cast<int>(pair.a) + pair.b + *data); }

__global__ void parent(const int* data) {
  leaf<<<1, 1, 0, cudaStreamTailLaunch>>>(900, Pair{1, 2}, data);
  leaf<<<1, 1>>>(100, Pair{1, 2}, data);
  cudaStream_t stream;
  cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  leaf<<<1, 1, 0, stream>>>(200, Pair{3, 4}, data);
  cudaStreamDestroy(stream);
}

__global__ void nested(int depth) {
  note(depth);
  if (depth < 3) {
    nested<<<1, 1>>>(depth + 1);
    nested<<<1, 1>>>(depth + 10);
  }
}

__global__ void say() { printf("%s: %s\n", cudaGetErrorName(cudaGetLastError()), cudaGetErrorString(cudaSuccess)); }

// Halves the range until one block can add it.
__global__ void sum(const int* data, int count, int* out) {
  if (count <= 64) {
    __shared__ int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    if (static_cast<int>(threadIdx.x) < count) atomicAdd(&total, data[threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0) atomicAdd(out, total);
  } else if (threadIdx.x == 0) {
    int half = count / 2;
    sum<<<1, 64>>>(data, half, out);
    sum<<<1, 64>>>(data + half, count - half, out);
  }
}

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

void tell(const char* what) {
  int order_on_host[64], count = 0, zero = 0;
  cudaDeviceSynchronize();
  cudaMemcpyFromSymbol(order_on_host, order, sizeof order_on_host);
  cudaMemcpyFromSymbol(&count, used, sizeof count);
  cudaMemcpyToSymbol(used, &zero, sizeof zero);
  printf("%s:", what);
  for (int i = 0; i < count; ++i) printf(" %d", order_on_host[i]);
  printf("\n");
}

int main() {
  int* data = nullptr;
  cudaMallocManaged(&data, 1000 * sizeof(int));
  for (int i = 0; i < 1000; ++i) data[i] = i;
  parent<<<1, 1>>>(data);
  tell("streams");
  nested<<<1, 1>>>(1);
  tell("nested");
  int* out = nullptr;
  cudaMallocManaged(&out, sizeof(int));
  *out = 0;
  sum<<<1, 64>>>(data, 1000, out);
  cudaDeviceSynchronize();
  printf("the sum is %d\n", *out);
  show_boxes();
  say<<<1, 1>>>();
  cudaDeviceSynchronize();
  printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
