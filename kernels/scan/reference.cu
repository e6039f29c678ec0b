// Three kernels in double precision: the sum of each piece, what stands before each piece, the running sums.
namespace {

constexpr int kPieces = 65536;
__device__ double before[kPieces];

__device__ size_t piece_begin(int piece, int n) { return size_t(n) * piece / kPieces; }

__global__ void sums(const float* in, int n) {
  int piece = int(blockIdx.x * blockDim.x + threadIdx.x);
  double sum = 0;
  for (size_t i = piece_begin(piece, n); i < piece_begin(piece + 1, n); ++i) sum += in[i];
  before[piece] = sum;
}

__global__ void prefix() {
  double sum = 0;
  for (int piece = 0; piece < kPieces; ++piece) {
    double own = before[piece];
    before[piece] = sum;
    sum += own;
  }
}

__global__ void running(const float* in, float* out, int n) {
  int piece = int(blockIdx.x * blockDim.x + threadIdx.x);
  double sum = before[piece];
  for (size_t i = piece_begin(piece, n); i < piece_begin(piece + 1, n); ++i) out[i] = float(sum += in[i]);
}

}  // namespace

extern "C" void reference(const float* in, float* out, int n) {
  sums<<<kPieces / 256, 256>>>(in, n);
  prefix<<<1, 1>>>();
  running<<<kPieces / 256, 256>>>(in, out, n);
}
