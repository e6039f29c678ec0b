// One block for each row, in double precision.
namespace {

constexpr int kThreads = 256;

__global__ void multiply(const float* a, const float* x, float* y, int columns) {
  __shared__ double parts[kThreads];
  double sum = 0;
  for (int i = int(threadIdx.x); i < columns; i += kThreads) sum += double(a[size_t(blockIdx.x) * columns + i]) * x[i];
  parts[threadIdx.x] = sum;
  __syncthreads();
  for (int half = kThreads / 2; half > 0; half /= 2) {
    if (int(threadIdx.x) < half) parts[threadIdx.x] += parts[threadIdx.x + half];
    __syncthreads();
  }
  if (threadIdx.x == 0) y[blockIdx.x] = float(parts[0]);
}

}  // namespace

extern "C" void reference(const float* a, const float* x, float* y, int rows, int columns) {
  multiply<<<rows, kThreads>>>(a, x, y, columns);
}
