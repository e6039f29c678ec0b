// nvcuda::experimental::pipeline and awbarrier, as programs of CUDA 11 used them: batches in order, copies padded with
// zeros, copies that
// a barrier waits for.
#include <cuda_awbarrier.h>
#include <cuda_pipeline.h>

#include <cstdio>

namespace ex = nvcuda::experimental;

struct alignas(8) Pair {  // copied at once: NVIDIA's header copies the first piece of several again and again
  int a, b;
};

__global__ void batches(const int* in, const int4* wide, const Pair* pairs, int* out) {
  __shared__ int narrow[64];
  __shared__ int4 quads[64];
  __shared__ Pair two[64];
  const int t = threadIdx.x;
  ex::pipeline pipe;
  ex::memcpy_async(narrow[t], in[t], pipe);
  pipe.commit();
  ex::memcpy_async(quads[t], wide[t], pipe);
  pipe.commit();
  ex::memcpy_async(two[t], pairs[t], pipe);
  pipe.wait_prior<1>();  // not wait(batch): NVIDIA's header stops one batch short of it
  int sum = narrow[t];
  pipe.commit();
  pipe.wait_prior<1>();
  sum += quads[t].w;
  pipe.wait_prior<0>();
  sum += two[t].b;
  // The source of a copy of 16 bytes is aligned to 16, however little of it is read: an H200 copies other values.
  ex::memcpy_async(ex::segment<4>(&quads[t].x), ex::segment<2>(&in[4 * (t / 4)]), pipe);
  pipe.commit_and_wait();
  out[t] = sum + quads[t].y + 1000 * quads[t].z;
}

__global__ void barriers(const int* in, int* out) {
  __shared__ ex::awbarrier barrier;
  __shared__ int copied[64];
  const int t = threadIdx.x;
  if (t == 0) init(&barrier, blockDim.x);
  __syncthreads();
  ex::pipeline pipe;
  ex::memcpy_async(copied[t], in[t], pipe);
  pipe.arrive_on(barrier);
  auto token = barrier.arrive();
  barrier.wait(token);
  int sum = copied[63 - t];
  if (t < 32) {
    barrier.arrive_and_drop();
  } else {
    barrier.arrive_and_wait();
    barrier.arrive_and_wait();  // of 32 now
    sum += 10000;
  }
  out[t] = sum;
}

int main() {
  int *in, *out, host[64];
  int4* wide;
  Pair* pairs;
  cudaMallocManaged(&in, sizeof host), cudaMallocManaged(&wide, 64 * sizeof *wide), cudaMallocManaged(&pairs, 64 * sizeof *pairs);
  cudaMalloc(&out, sizeof host);
  for (int i = 0; i < 64; ++i) in[i] = i * i, wide[i] = int4{i, 2 * i, 3 * i, 4 * i}, pairs[i] = Pair{i, 5 * i};
  batches<<<1, 64>>>(in, wide, pairs, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i += 9) printf(" %d", host[i]);
  barriers<<<1, 64>>>(in, out);
  cudaMemcpy(host, out, sizeof host, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 64; i += 9) printf(" %d", host[i]);
  printf(" %s, %u\n", cudaGetErrorString(cudaGetLastError()), ex::awbarrier::max());
}
