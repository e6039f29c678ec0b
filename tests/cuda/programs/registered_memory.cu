// Memory of the program that kernels access after cudaHostRegister: on the heap, in a variable, in a file; through the
// device's
// pointer and through the host's, which unified addressing promises to work.
#include <cuda_runtime.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>
#include <vector>

#define SAY(call) std::printf("%s -> %s\n", #call, cudaGetErrorName(call))

__global__ void add(int* data, int n, int what) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) data[i] += what;
}
struct Job { int n; int* data; };
__global__ void run(Job job) { for (int i = threadIdx.x; i < job.n; i += blockDim.x) job.data[i] *= 2; }
__global__ void total(const int* data, int n, int* sum) {
  if (threadIdx.x < n) atomicAdd(sum, data[threadIdx.x]);
}

bool all(const int* data, int n, int value) {
  for (int i = 0; i < n; ++i) if (data[i] != value) return false;
  return true;
}

int table[5000];

int main() {
  // A large array on the heap.
  const int n = 100000;
  std::vector<int> numbers(n, 5);
  SAY(cudaHostRegister(numbers.data(), n * sizeof(int), cudaHostRegisterMapped));
  int* device = nullptr;
  SAY(cudaHostGetDevicePointer(&device, numbers.data(), 0));
  add<<<(n + 255) / 256, 256>>>(device, n, 2);
  SAY(cudaDeviceSynchronize());
  std::printf("the host sees 7: %d\n", all(numbers.data(), n, 7));
  for (int& v : numbers) v = 1;
  add<<<(n + 255) / 256, 256>>>(numbers.data(), n, 10);  // the host's own pointer
  SAY(cudaDeviceSynchronize());
  std::printf("the host sees 11: %d\n", all(numbers.data(), n, 11));
  int* inside = nullptr;
  SAY(cudaHostGetDevicePointer(&inside, numbers.data() + 1000, 0));
  std::printf("inside: %d\n", inside == device + 1000);

  cudaPointerAttributes attributes;
  SAY(cudaPointerGetAttributes(&attributes, device + 3));
  std::printf("host memory: %d, its host pointer: %d\n", attributes.type == cudaMemoryTypeHost, attributes.hostPointer == numbers.data() + 3);
  SAY(cudaPointerGetAttributes(&attributes, numbers.data() + 3));
  std::printf("host memory: %d, its device pointer: %d\n", attributes.type == cudaMemoryTypeHost, attributes.devicePointer == device + 3);

  // Copies in both directions, of either pointer.
  int* plain = nullptr;
  cudaMalloc(&plain, n * sizeof(int));
  SAY(cudaMemcpy(plain, device, n * sizeof(int), cudaMemcpyDefault));
  // Registered memory is on both sides.
  SAY(cudaMemcpy(numbers.data() + 8, numbers.data(), 4 * sizeof(int), cudaMemcpyDeviceToDevice));
  std::memset(numbers.data(), 0, n * sizeof(int));
  SAY(cudaMemcpyAsync(numbers.data(), plain, n * sizeof(int), cudaMemcpyDeviceToHost, 0));
  SAY(cudaStreamSynchronize(0));
  std::printf("copied: %d\n", all(numbers.data(), n, 11));
  SAY(cudaMemset(device, 0, 16));
  std::printf("set: %d %d\n", numbers[3], numbers[4]);

  // Two small ranges that share a page, and neighbours that another thread writes at the same time.
  char* page = static_cast<char*>(std::malloc(16384));
  std::memset(page, 0, 16384);
  std::atomic<bool> stop{false};
  std::atomic<long> written{0};
  volatile long* neighbour = reinterpret_cast<long*>(page + 4096);
  std::thread writer([&] { while (!stop) { *neighbour = *neighbour + 1; ++written; } });
  int *first = reinterpret_cast<int*>(page + 64), *second = reinterpret_cast<int*>(page + 512);
  bool right = true;
  for (int round = 0; round < 50; ++round) {
    right &= cudaHostRegister(first, 128, 0) == cudaSuccess && cudaHostRegister(second, 6000, 0) == cudaSuccess;
    add<<<1, 32>>>(first, 32, 1);
    add<<<1, 32>>>(second, 32, 2);
    right &= cudaDeviceSynchronize() == cudaSuccess;
    right &= cudaHostUnregister(round % 2 ? first : second) == cudaSuccess;
    add<<<1, 32>>>(round % 2 ? second : first, 32, 1);
    right &= cudaDeviceSynchronize() == cudaSuccess;
    right &= cudaHostUnregister(round % 2 ? second : first) == cudaSuccess;
  }
  stop = true;
  writer.join();
  std::printf("shared pages: %d %d %d, nothing lost: %d\n", right, all(first, 32, 75), all(second, 32, 125), *neighbour == written);
  std::free(page);

  // A variable outside of functions, in a structure.
  for (int& v : table) v = 21;
  SAY(cudaHostRegister(table, sizeof table, cudaHostRegisterPortable));
  run<<<1, 64>>>(Job{5000, table});
  SAY(cudaDeviceSynchronize());
  SAY(cudaHostUnregister(table));
  std::printf("a variable: %d\n", all(table, 5000, 42));

  // Memory that is shared already.
  int* shared = static_cast<int*>(mmap(nullptr, 8192, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  SAY(cudaHostRegister(shared, 8192, cudaHostRegisterMapped));
  add<<<8, 256>>>(shared, 2048, 3);
  SAY(cudaDeviceSynchronize());
  SAY(cudaHostUnregister(shared));
  std::printf("shared memory: %d\n", all(shared, 2048, 3));

  // Unregistered: the host keeps it, kernels lose access.
  SAY(cudaHostUnregister(numbers.data()));
  numbers[0] = 4;
  std::printf("kept: %d %d\n", numbers[0], numbers[99999]);
  SAY(cudaHostGetDevicePointer(&device, numbers.data(), 0));
  // Registered and unmapped by the program before it says so.
  SAY(cudaHostRegister(shared, 4096, cudaHostRegisterMapped));
  SAY(cudaHostGetDevicePointer(&device, shared, 0));
  munmap(shared, 8192);
  SAY(cudaHostUnregister(shared));
  // Memory of a function's stack stays where it is.
  int local[64] = {};
  SAY(cudaHostRegister(local, sizeof local, cudaHostRegisterMapped));
  SAY(cudaHostGetDevicePointer(&device, local, 0));
  SAY(cudaHostUnregister(local));
  // A reset does not change that.
  SAY(cudaHostRegister(table, sizeof table, cudaHostRegisterMapped));
  add<<<20, 256>>>(table, 5000, 1);
  SAY(cudaDeviceReset());
  int* sum = nullptr;
  cudaMallocManaged(&sum, 4);
  *sum = 0;
  total<<<1, 32>>>(table, 32, sum);
  SAY(cudaDeviceSynchronize());
  std::printf("sum: %d\n", *sum);
  SAY(cudaHostUnregister(table));
  cudaFree(sum);
  return 0;
}
