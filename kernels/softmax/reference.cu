// One block for each row, one after the other: the maximum, the sum of exponentials, the quotients.
namespace {

constexpr int kThreads = 256;

template <class Combine>
__device__ double combine_all(double mine, Combine combine) {
  __shared__ double parts[kThreads];
  parts[threadIdx.x] = mine;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) parts[threadIdx.x] = combine(parts[threadIdx.x], parts[threadIdx.x + half]);
    __syncthreads();
  }
  double all = parts[0];
  __syncthreads();
  return all;
}

__global__ void softmax(const float* in, float* out, int columns) {
  const float* x = in + size_t(blockIdx.x) * columns;
  float* y = out + size_t(blockIdx.x) * columns;
  double most = -INFINITY, sum = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) most = fmax(most, double(x[i]));
  most = combine_all(most, [](double a, double b) { return fmax(a, b); });
  for (int i = int(threadIdx.x); i < columns; i += kThreads) sum += exp(x[i] - most);
  sum = combine_all(sum, [](double a, double b) { return a + b; });
  for (int i = int(threadIdx.x); i < columns; i += kThreads) y[i] = float(exp(x[i] - most) / sum);
}

}  // namespace

extern "C" void reference(const float* in, float* out, int rows, int columns) {
  softmax<<<rows, kThreads>>>(in, out, columns);
}
