// A product of tiles without its second barrier races millions of times. The checker stops looking at those accesses,
// and still sees another race behind them. says: count: at least 1000000 conflicting accesses; the first is shown
constexpr int kSide = 256, kTile = 16;

__global__ void product(const float* a, const float* b, float* c, float* last) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile], corner;
  int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < kSide; tile += kTile) {
    ta[threadIdx.y][threadIdx.x] = a[row * kSide + tile + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * kSide + column];  // finds C0201
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];  // finds C0201
  }
  c[row * kSide + column] = sum;
  if (row != kSide - 1) return;
  if (column == kSide - 1) corner = sum;    // finds C0202
  if (column == kSide - 2) *last = corner;  // finds C0202
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, kSide * kSide * sizeof(float));
  cudaMalloc(&b, kSide * kSide * sizeof(float));
  cudaMalloc(&c, (kSide * kSide + 1) * sizeof(float));
  cudaMemset(a, 0, kSide * kSide * sizeof(float));
  cudaMemset(b, 0, kSide * kSide * sizeof(float));
  product<<<dim3(kSide / kTile, kSide / kTile), dim3(kTile, kTile)>>>(a, b, c, c + kSide * kSide);
  cudaDeviceSynchronize();
  cudaFree(a), cudaFree(b), cudaFree(c);
}
