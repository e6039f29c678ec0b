// Copies, prefetches and discards that come many at a time (CUDA 13's parameters), and what they refuse.
#include <cuda.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>

int main() {
  constexpr size_t kWords = 256;
  int *a, *b, *managed, host[kWords], back[kWords] = {}, pinned_words = kWords;
  int* pinned;
  cudaMalloc(&a, kWords * 4), cudaMalloc(&b, kWords * 4), cudaMallocManaged(&managed, kWords * 4), cudaMallocHost(&pinned, pinned_words * 4);
  for (size_t k = 0; k < kWords; ++k) host[k] = int(k), pinned[k] = -int(k);
  cudaStream_t stream;
  cudaStreamCreate(&stream);

  // Three copies, of which the last has attributes of its own.
  void* dsts[] = {a, b, managed};
  const void* srcs[] = {host, pinned, host + 128};
  size_t sizes[] = {kWords * 4, 512, 256}, first[] = {0, 2};
  cudaMemcpyAttributes attributes[2] = {};
  attributes[0].srcAccessOrder = cudaMemcpySrcAccessOrderStream;
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderDuringApiCall;
  printf("batch: %s\n", cudaGetErrorName(cudaMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, first, 2, stream)));
  cudaMemcpyAsync(back, a, kWords * 4, cudaMemcpyDefault, stream);
  cudaStreamSynchronize(stream);
  int second[2];
  cudaMemcpy(second, b + 126, 8, cudaMemcpyDefault);
  printf("%d %d, %d %d, %d %d\n", back[1], back[255], second[0], second[1], managed[0], managed[63]);

  auto tell = [](const char* what, cudaError_t error) { printf("%s: %s\n", what, cudaGetErrorName(error)); };
  tell("default stream", cudaMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, first, 2, nullptr));
  tell("default stream of the thread", cudaMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, first, 2, cudaStreamPerThread));
  tell("nothing", cudaMemcpyBatchAsync(dsts, srcs, sizes, 0, attributes, first, 0, stream));
  tell("no attributes", cudaMemcpyBatchAsync(dsts, srcs, sizes, 3, nullptr, first, 0, stream));
  size_t late[] = {1, 2}, beyond[] = {0, 3}, backwards[] = {0, 0};
  tell("attributes from 1", cudaMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, late, 2, stream));
  tell("attributes beyond the end", cudaMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, beyond, 2, stream));
  tell("attributes twice", cudaMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, backwards, 2, stream));
  attributes[1].srcAccessOrder = cudaMemcpySrcAccessOrderInvalid;
  tell("no order", cudaMemcpyBatchAsync(dsts, srcs, sizes, 3, attributes, first, 2, stream));

  void* ranges[] = {managed, managed + 128};
  size_t lengths[] = {512, 512}, from_start[] = {0};
  cudaMemLocation device0 = {cudaMemLocationTypeDevice, 0}, nowhere = {cudaMemLocationTypeDevice, 77};
  tell("prefetch", cudaMemPrefetchBatchAsync(ranges, lengths, 2, &device0, from_start, 1, 0, stream));
  tell("discard", cudaMemDiscardBatchAsync(ranges, lengths, 2, 0, stream));
  tell("both", cudaMemDiscardAndPrefetchBatchAsync(ranges, lengths, 2, &device0, from_start, 1, 0, stream));
  tell("to a device that is not there", cudaMemPrefetchBatchAsync(ranges, lengths, 2, &nowhere, from_start, 1, 0, stream));
  void* plain[] = {a};
  tell("discard of plain memory", cudaMemDiscardBatchAsync(plain, lengths, 1, 0, stream));
  tell("flags", cudaMemDiscardBatchAsync(ranges, lengths, 2, 1, stream));

  CUdeviceptr to[] = {CUdeviceptr(b), CUdeviceptr(b + 1)}, from[] = {CUdeviceptr(a + 7), CUdeviceptr(a + 9)};
  size_t words[] = {4, 4};
  CUmemcpyAttributes order = {};
  order.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  printf("driver: %d\n", cuMemcpyBatchAsync(to, from, words, 2, &order, from_start, 1, stream));
  cudaStreamSynchronize(stream);
  cudaMemcpy(second, b, 8, cudaMemcpyDefault);
  printf("%d %d\n", second[0], second[1]);
  return cudaDeviceSynchronize();
}
