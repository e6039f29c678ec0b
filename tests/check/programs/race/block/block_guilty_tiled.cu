// A product of tiles without its second barrier. Rows of a tile of A are read by the warp that fills them, so those
// accesses race in a warp alone, and the missing barrier is the cause all the same.
// says: put __syncthreads() between the two accesses
// says: threads of one warp race as well
// says: conflicting accesses; the first is shown
// does not say: put __syncwarp()
// does not say: threads did it
constexpr int kSide = 64, kTile = 16;

__global__ void product(const float* a, const float* b, float* c) {
  __shared__ float ta[kTile][kTile], tb[kTile][kTile];
  int row = blockIdx.y * kTile + threadIdx.y, column = blockIdx.x * kTile + threadIdx.x;
  float sum = 0;
  for (int tile = 0; tile < kSide; tile += kTile) {
    ta[threadIdx.y][threadIdx.x] = a[row * kSide + tile + threadIdx.x];
    tb[threadIdx.y][threadIdx.x] = b[(tile + threadIdx.y) * kSide + column];  // finds C0201
    __syncthreads();
    for (int k = 0; k < kTile; ++k) sum += ta[threadIdx.y][k] * tb[k][threadIdx.x];  // finds C0201
  }
  c[row * kSide + column] = sum;
}

int main() {
  float *a, *b, *c;
  cudaMalloc(&a, kSide * kSide * sizeof(float));
  cudaMalloc(&b, kSide * kSide * sizeof(float));
  cudaMalloc(&c, kSide * kSide * sizeof(float));
  cudaMemset(a, 0, kSide * kSide * sizeof(float));
  cudaMemset(b, 0, kSide * kSide * sizeof(float));
  product<<<dim3(4, 4), dim3(kTile, kTile)>>>(a, b, c);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
