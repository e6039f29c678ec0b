// Nothing is written through the parameter `in`, but through a pointer that lies in memory and leads to the same place.
#include <cuda_runtime.h>

struct Job {
  int* out;
};

__global__ void reverse(const int* in, const Job* job) {
  const int i = threadIdx.x;
  const int x = in[127 - i];  // finds C0201
  job->out[i] = x;            // finds C0201
}

int main() {
  int* data;
  Job* job;
  cudaMalloc(&data, 128 * sizeof(int));
  cudaMemset(data, 0, 128 * sizeof(int));
  cudaMalloc(&job, sizeof(Job));
  const Job here{data};
  cudaMemcpy(job, &here, sizeof here, cudaMemcpyHostToDevice);
  reverse<<<1, 128>>>(data, job);
  cudaDeviceSynchronize();
  cudaFree(data);
  cudaFree(job);
}
