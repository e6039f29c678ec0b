// In double: 16 queries a block, tiles of 64 keys in shared memory, and a softmax that goes along (as 02_tiles.cu does
// in fp32).
#include "../parts/launch.h"
#include "../parts/reference_block.h"

namespace {

using namespace reference_parts;

constexpr int kQueries = 16, kKeys = 64, kSide = 16;  // threads: 16 x 16

struct Memory {
  double q[kQueries][129], k[kKeys][129], v[kKeys][129], weights[kQueries][kKeys];
};

__global__ void attention(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out,
                          int length, int head, int causal) {
  extern __shared__ double bytes[];
  Memory& memory = *reinterpret_cast<Memory*>(bytes);
  const size_t plane = size_t(blockIdx.y) * length * head;
  const int first = int(blockIdx.x) * kQueries, row = int(threadIdx.y), lane = int(threadIdx.x);
  const int thread = row * kSide + lane, query = first + row;
  for (int i = thread; i < kQueries * head; i += kSide * kSide)
    memory.q[i / head][i % head] = first + i / head < length ? to_double(q[plane + size_t(first) * head + i]) : 0.0;
  double most = -INFINITY, sum = 0, result[128 / kSide] = {};
  const int keys = causal ? min(length, first + kQueries) : length;
  for (int start = 0; start < keys; start += kKeys) {
    __syncthreads();
    for (int i = thread; i < kKeys * head; i += kSide * kSide) {
      const bool inside = start + i / head < length;
      memory.k[i / head][i % head] = inside ? to_double(k[plane + size_t(start) * head + i]) : 0.0;
      memory.v[i / head][i % head] = inside ? to_double(v[plane + size_t(start) * head + i]) : 0.0;
    }
    __syncthreads();
    double scores[kKeys / kSide] = {}, largest = most;
    for (int c = 0; c < head; ++c)
      for (int j = 0; j < kKeys / kSide; ++j) scores[j] += memory.q[row][c] * memory.k[lane + j * kSide][c];
    for (int j = 0; j < kKeys / kSide; ++j) {
      const int key = start + lane + j * kSide;
      scores[j] = key >= length || (causal && key > query) ? -INFINITY : scores[j] / sqrt(double(head));
      largest = fmax(largest, scores[j]);
    }
    for (int distance = kSide / 2; distance > 0; distance /= 2)
      largest = fmax(largest, __shfl_xor_sync(0xffffffffu, largest, distance));
    const double base = largest == -INFINITY ? 0.0 : largest, correction = exp(most - base);
    most = largest, sum *= correction;
    for (int j = 0; j < kKeys / kSide; ++j) {
      const double weight = exp(scores[j] - base);
      memory.weights[row][lane + j * kSide] = weight, sum += weight;
    }
    __syncwarp();  // a row is half a warp's
    for (int c = 0; c < 128 / kSide; ++c) result[c] *= correction;
    for (int key = 0; key < kKeys; ++key)
      for (int c = 0; c < 128 / kSide; ++c)
        if (lane + c * kSide < head) result[c] += memory.weights[row][key] * memory.v[key][lane + c * kSide];
  }
  for (int distance = kSide / 2; distance > 0; distance /= 2) sum += __shfl_xor_sync(0xffffffffu, sum, distance);
  if (query >= length) return;
  for (int c = 0; c < 128 / kSide; ++c)
    if (lane + c * kSide < head)
      out[plane + size_t(query) * head + lane + c * kSide] = from_double<__nv_bfloat16>(result[c] / sum);
}

}  // namespace

extern "C" void reference(const __nv_bfloat16* q, const __nv_bfloat16* k, const __nv_bfloat16* v, __nv_bfloat16* out,
                          int heads, int length, int head, int causal) {
  must(cudaFuncSetAttribute(attention, cudaFuncAttributeMaxDynamicSharedMemorySize, int(sizeof(Memory))),
       "shared memory");
  attention<<<dim3((length + kQueries - 1) / kQueries, heads), dim3(kSide, kSide), sizeof(Memory)>>>(
      q, k, v, out, length, head, causal);
}
