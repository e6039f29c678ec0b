// A label of -1 reaches before the first allocation of the program, where there is neither memory nor shadow: an index, no host pointer.
template <int P>
__global__ void margin(float* out, const float* in, const long* label, int classes) {
  __shared__ float sums[64];
  const float* row = in + blockIdx.x * classes;
  const int right = int(label[blockIdx.x]);
  const float score = row[right];  // finds C0101
  float sum = 0;
  for (int i = threadIdx.x; i < classes; i += blockDim.x)
    if (i != right) {
      const float z = 1 - score + row[i];
      if (z > 0) sum += P == 1 ? z : z * z;
    }
  sums[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    float all = 0;
    for (int i = 0; i < blockDim.x; ++i) all += sums[i];
    out[blockIdx.x] = all;
  }
}

int main() {
  float *in, *out;
  long* label;
  cudaMalloc(&in, 15 * sizeof(float));
  cudaMalloc(&out, 3 * sizeof(float));
  cudaMalloc(&label, 3 * sizeof(long));
  cudaMemset(in, 0, 15 * sizeof(float));
  cudaMemset(label, 255, 3 * sizeof(long));
  margin<1><<<3, 64>>>(out, in, label, 5);
  const cudaError_t error = cudaDeviceSynchronize();
  cudaFree(in);
  cudaFree(out);
  cudaFree(label);
  return error != cudaErrorIllegalAddress;
}
