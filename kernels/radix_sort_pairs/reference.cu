// Four times by a digit of eight bits: a warp walks over its part of the pairs in order, no cleverness.
namespace {

constexpr int kParts = 1024, kBins = 256;
__device__ unsigned places[kBins * kParts];

__device__ size_t part_begin(int part, int n) { return size_t(n) * part / kParts; }

__global__ void count(const unsigned* keys, int n, int shift) {
  __shared__ unsigned bins[kBins];
  for (int bin = int(threadIdx.x); bin < kBins; bin += 32) bins[bin] = 0;
  __syncwarp();
  for (size_t i = part_begin(int(blockIdx.x), n) + threadIdx.x; i < part_begin(int(blockIdx.x) + 1, n); i += 32)
    atomicAdd(&bins[keys[i] >> shift & 255], 1u);
  __syncwarp();
  for (int bin = int(threadIdx.x); bin < kBins; bin += 32) places[bin * kParts + blockIdx.x] = bins[bin];
}

__global__ void add_up() {
  __shared__ unsigned sums[kBins];
  unsigned sum = 0;
  for (int part = 0; part < kParts; ++part) sum += places[threadIdx.x * kParts + part];
  sums[threadIdx.x] = sum;
  __syncthreads();
  unsigned before = 0;
  for (int bin = 0; bin < int(threadIdx.x); ++bin) before += sums[bin];
  for (int part = 0; part < kParts; ++part) {
    unsigned own = places[threadIdx.x * kParts + part];
    places[threadIdx.x * kParts + part] = before;
    before += own;
  }
}

__global__ void move(const unsigned* from, const unsigned* values, unsigned* to, unsigned* moved, int n, int shift) {
  __shared__ unsigned next[kBins];
  for (int bin = int(threadIdx.x); bin < kBins; bin += 32) next[bin] = places[bin * kParts + blockIdx.x];
  __syncwarp();
  size_t end = part_begin(int(blockIdx.x) + 1, n);
  for (size_t first = part_begin(int(blockIdx.x), n); first < end; first += 32) {
    size_t i = first + threadIdx.x;
    bool valid = i < end;
    unsigned key = valid ? from[i] : 0, digit = valid ? key >> shift & 255 : kBins;
    unsigned same = __match_any_sync(0xffffffffu, digit), lower = same & ((1u << threadIdx.x) - 1);
    if (valid) {
      unsigned place = next[digit] + unsigned(__popc(lower));
      to[place] = key, moved[place] = values[i];
    }
    __syncwarp();
    if (valid && lower == 0) next[digit] += unsigned(__popc(same));
    __syncwarp();
  }
}

}  // namespace

extern "C" void reference(const unsigned* keys, const unsigned* values, unsigned* sorted, unsigned* moved,
                          unsigned* spare_keys, unsigned* spare_values, unsigned* counts, int n) {
  for (int pass = 0; pass < 4; ++pass) {
    bool odd = pass % 2;
    const unsigned *from = pass == 0 ? keys
                           : odd     ? spare_keys
                                     : sorted,
                   *with = pass == 0 ? values
                           : odd     ? spare_values
                                     : moved;
    count<<<kParts, 32>>>(from, n, pass * 8);
    add_up<<<1, kBins>>>();
    move<<<kParts, 32>>>(from, with, odd ? sorted : spare_keys, odd ? moved : spare_values, n, pass * 8);
  }
}
