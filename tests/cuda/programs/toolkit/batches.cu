// Copies, prefetches and discards in batches (CUDA 13's parameters), and their errors.
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

  // Boxes: of memory to memory, into an array and out of it again.
  constexpr size_t kWide = 6, kHigh = 4, kDeep = 3;
  cudaArray_t array, bytes;
  const cudaChannelFormatDesc of_ints = cudaCreateChannelDesc<int>(), of_bytes = cudaCreateChannelDesc<unsigned char>();
  cudaMalloc3DArray(&array, &of_ints, {kWide, kHigh, kDeep}), cudaMalloc3DArray(&bytes, &of_bytes, {kWide, kHigh, kDeep});
  auto memory = [](void* p, size_t row, size_t rows) {
    cudaMemcpy3DOperand operand = {};
    operand.type = cudaMemcpyOperandTypePointer, operand.op.ptr.ptr = p, operand.op.ptr.rowLength = row, operand.op.ptr.layerHeight = rows;
    return operand;
  };
  auto in_array = [](cudaArray_t array, size_t x, size_t y, size_t z) {
    cudaMemcpy3DOperand operand = {};
    operand.type = cudaMemcpyOperandTypeArray, operand.op.array.array = array, operand.op.array.offset = {x, y, z};
    return operand;
  };
  cudaMemset(b, 0, kWords * 4);
  cudaMemcpyAsync(a, host, kWords * 4, cudaMemcpyDefault, stream);
  cudaMemcpy3DBatchOp boxes[2] = {{memory(a, 0, 0), in_array(array, 0, 0, 0), {kWide, kHigh, kDeep}, cudaMemcpySrcAccessOrderStream, 0},
                                  {memory(a + 1, 40, 0), memory(b + 8, 16, 3), {12, 2, 2}, cudaMemcpySrcAccessOrderAny, 0}};
  tell("boxes", cudaMemcpy3DBatchAsync(2, boxes, 0, stream));
  cudaMemcpy3DBatchOp out = {in_array(array, 2, 1, 1), memory(pinned, 5, 0), {4, 2, 2}, cudaMemcpySrcAccessOrderDuringApiCall, 0};
  tell("out of the array", cudaMemcpy3DBatchAsync(1, &out, 0, stream));
  cudaStreamSynchronize(stream);
  // Elements of the array are of 4 bytes; those of two pieces of memory are bytes.
  printf("%d %d %d %d\n", pinned[0], pinned[3], pinned[5], pinned[10] == int((2 * kHigh + 1) * kWide + 2));
  cudaMemcpy(back, b, kWords * 4, cudaMemcpyDefault);
  printf("%d %d %d, %d %d, %d\n", back[8], back[9], back[10], back[12], back[20], back[24]);

  auto wrong = [&](const char* what, cudaMemcpy3DBatchOp box, cudaStream_t to, unsigned long long flags) { tell(what, cudaMemcpy3DBatchAsync(1, &box, flags, to)); };
  wrong("default stream", boxes[1], nullptr, 0);
  wrong("flags", boxes[1], stream, 1);
  tell("nothing", cudaMemcpy3DBatchAsync(0, boxes, 0, stream));
  cudaMemcpy3DBatchOp box = boxes[1];
  box.extent.depth = 0, wrong("no depth", box, stream, 0);
  box = boxes[1], box.srcAccessOrder = cudaMemcpySrcAccessOrderInvalid, wrong("no order", box, stream, 0);
  box = boxes[1], box.src.op.ptr.rowLength = 11, wrong("short rows", box, stream, 0);
  box = boxes[1], box.dst.op.ptr.layerHeight = 1, wrong("low layers", box, stream, 0);
  box = boxes[1], box.src.type = cudaMemcpy3DOperandType(7), wrong("neither", box, stream, 0);
  box = boxes[0], box.dst.op.array.offset.x = 1, wrong("beside the array", box, stream, 0);
  box = boxes[0], box.src = in_array(bytes, 0, 0, 0), wrong("elements of two sizes", box, stream, 0);
  CUDA_MEMCPY3D_BATCH_OP same = {};
  same.src.type = same.dst.type = CU_MEMCPY_OPERAND_TYPE_POINTER;
  same.src.op.ptr.ptr = CUdeviceptr(a + 3), same.dst.op.ptr.ptr = CUdeviceptr(b);
  same.extent = {8, 1, 1}, same.srcAccessOrder = CU_MEMCPY_SRC_ACCESS_ORDER_STREAM;
  printf("driver: %d\n", cuMemcpy3DBatchAsync(1, &same, 0, stream));
  cudaStreamSynchronize(stream);
  cudaMemcpy(second, b, 8, cudaMemcpyDefault);
  printf("%d %d\n", second[0], second[1]);
  cudaFreeArray(array), cudaFreeArray(bytes);
  return cudaDeviceSynchronize();
}
