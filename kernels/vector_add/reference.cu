// One thread for each element, in double precision.
namespace {

__global__ void add(const float* a, const float* b, float* sum, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) sum[i] = static_cast<float>(static_cast<double>(a[i]) + static_cast<double>(b[i]));
}

}  // namespace

extern "C" void reference(const float* a, const float* b, float* sum, int n) {
  constexpr int kThreads = 256;
  add<<<(n + kThreads - 1) / kThreads, kThreads>>>(a, b, sum, n);
}
