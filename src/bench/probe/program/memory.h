// Memory, from near to far: shared memory, L1, L2, DRAM.
//
// A latency follows pointers, or adds what it has read to the next address. DRAM's is that of a loop that reads new
// memory in each iteration, a warp on each multiprocessor, as grid-stride loops do: a chase over few pages knows where
// they are, and one over many measures the search for them.
#pragma once

#include "pipes.h"

namespace probe {

constexpr unsigned kSharedThreads = 1024, kSharedBytes = 16384;

// What a lane reads from shared memory in each of n x kSteps loads. The results are not used: volatile loads stay.
enum class Shared { Words, Vectors, SameVectors };

template <Shared kind>
__global__ void __launch_bounds__(kMostThreads) shared_rate(unsigned n, Clocks* clocks, unsigned* sink) {
  __shared__ __align__(16) unsigned words[kSharedBytes / 4];
  for (unsigned i = threadIdx.x; i < kSharedBytes / 4; i += blockDim.x) words[i] = 0;
  __syncthreads();
  const unsigned lane = threadIdx.x % 32;
  unsigned at = unsigned(__cvta_generic_to_shared(words));
  at += kind == Shared::Words     ? 4 * (threadIdx.x % 1024)
        : kind == Shared::Vectors ? 16 * threadIdx.x
                                  : 16 * (lane / 32);
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i)
#pragma unroll
    for (unsigned s = 0; s < kSteps; ++s) {
      unsigned x, y, z, w;
      if constexpr (kind == Shared::Words)
        asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(at));
      else
        asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
                     : "r"(at));
    }
  read_clocks(clocks, 1);
  if (n == 0) *sink = words[0];
}

static __global__ void __launch_bounds__(kMostThreads) shared_latency(unsigned n, Clocks* clocks, unsigned* sink) {
  __shared__ unsigned next[1024];
  const unsigned base = unsigned(__cvta_generic_to_shared(next));
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) next[i] = base + 4 * ((i + 33) % 1024);
  __syncthreads();
  unsigned at = base + 4 * threadIdx.x;
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i)
#pragma unroll
    for (unsigned s = 0; s < kSteps; ++s) asm volatile("ld.shared.u32 %0, [%0];" : "+r"(at));
  read_clocks(clocks, 1);
  if (n == 0) *sink = at;
}

// A ring of pointers, `stride` bytes apart.
static __global__ void __launch_bounds__(kMostThreads) make_ring(char* base, size_t bytes, size_t stride) {
  for (size_t at = (blockIdx.x * size_t{blockDim.x} + threadIdx.x) * stride; at < bytes;
       at += size_t{gridDim.x} * blockDim.x * stride)
    *reinterpret_cast<char**>(base + at) = base + (at + stride < bytes ? at + stride : 0);
}

// kNear: through L1; otherwise at L2.
template <bool kNear>
__global__ void __launch_bounds__(kMostThreads)
    follow_ring(unsigned n, const void* first, Clocks* clocks, unsigned* sink) {
  unsigned long long at = reinterpret_cast<unsigned long long>(first);
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i)
#pragma unroll
    for (unsigned s = 0; s < kSteps; ++s)
      if constexpr (kNear)
        asm volatile("ld.global.ca.u64 %0, [%0];" : "+l"(at));
      else
        asm volatile("ld.global.cg.u64 %0, [%0];" : "+l"(at));
  read_clocks(clocks, 1);
  if (n == 0) *sink = unsigned(at);
}

static __global__ void __launch_bounds__(kMostThreads)
    walk_new_memory(unsigned n, const char* base, Clocks* clocks, unsigned* sink) {
  const char* at = base + (size_t{blockIdx.x} * blockDim.x + threadIdx.x) * 4;
  unsigned seen = 0;
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i) {
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(seen) : "l"(at));
    at += size_t{gridDim.x} * blockDim.x * 4 + seen;
  }
  read_clocks(clocks, 1);
  if (n == 0) *sink = seen;
}

// Vectors of 16 bytes from L2: `n` passes, each of which gives an SM other vectors. A thread has four under way: with
// one, 1,024 threads of an H200 wait for L2 at 45 bytes a clock, and with four they get 61.
static __global__ void __launch_bounds__(kMostThreads)
    read_again(unsigned n, const uint4* from, unsigned count, Clocks* clocks, unsigned* sink) {
  constexpr unsigned kUnderWay = 4;
  const unsigned stride = gridDim.x * blockDim.x;
  unsigned sum = 0;
  read_clocks(clocks, 0);
  for (unsigned pass = 0; pass < n; ++pass) {
    unsigned at = blockIdx.x * blockDim.x + threadIdx.x + pass * blockDim.x * 3;
    for (unsigned i = 0; i < count; i += kUnderWay * stride) {
      uint4 seen[kUnderWay] = {};
#pragma unroll
      for (unsigned k = 0; k < kUnderWay; ++k) {
        if (i + k * stride >= count) break;
        while (at >= count) at -= count;
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(seen[k].x), "=r"(seen[k].y), "=r"(seen[k].z), "=r"(seen[k].w)
                     : "l"(from + at));
        at += stride;
      }
#pragma unroll
      for (unsigned k = 0; k < kUnderWay; ++k) sum |= seen[k].x | seen[k].y | seen[k].z | seen[k].w;
    }
  }
  read_clocks(clocks, 1);
  if (sum) *sink = sum;
}

static __global__ void __launch_bounds__(kMostThreads)
    read_once(const uint4* from, size_t count, Clocks* clocks, unsigned* sink) {
  unsigned sum = 0;
  read_clocks(clocks, 0);
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    const uint4 v = from[i];
    sum |= v.x | v.y | v.z | v.w;
  }
  read_clocks(clocks, 1);
  if (sum) *sink = sum;
}
// A vector for each thread: in a loop the threads of an H200 all read and then all write, and reach 0.57 of its peak
// instead of 0.89. No thread lasts long enough to read clocks.
static __global__ void __launch_bounds__(kMostThreads) copy_once(const uint4* from, uint4* to, size_t count) {
  const size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x;
  if (i < count) to[i] = from[i];
}

// Each thread adds to a word of its own: a line of four sectors for each warp.
static __global__ void __launch_bounds__(kMostThreads) add_to_lines(unsigned n, unsigned* words, Clocks* clocks) {
  unsigned* const mine = words + blockIdx.x * blockDim.x + threadIdx.x;
  read_clocks(clocks, 0);
  for (unsigned i = 0; i < n; ++i) asm volatile("red.global.add.u32 [%0], 1;" ::"l"(mine) : "memory");
  read_clocks(clocks, 1);
}

inline void measure_shared(Harness& h) {
  const unsigned blocks = h.sms() * unsigned(h.gpu().maxThreadsPerMultiProcessor) / kSharedThreads;
  const double loads = double(blocks) * kSharedThreads * kSteps;
  h.rate("shared_words", loads,
         [&](unsigned n) { shared_rate<Shared::Words><<<blocks, kSharedThreads>>>(n, h.clocks(), h.sink()); });
  h.rate("shared_bytes", 16 * loads,
         [&](unsigned n) { shared_rate<Shared::Vectors><<<blocks, kSharedThreads>>>(n, h.clocks(), h.sink()); });
  h.rate("shared_same_bytes", 16 * loads,
         [&](unsigned n) { shared_rate<Shared::SameVectors><<<blocks, kSharedThreads>>>(n, h.clocks(), h.sink()); });
  h.latency("shared_latency", kSteps, [&](unsigned n) { shared_latency<<<1, 32>>>(n, h.clocks(), h.sink()); });
}

inline void measure_caches(Harness& h) {
  const size_t l2 = size_t(h.gpu().l2CacheSize);
  constexpr size_t kLine = 128, kNearBytes = 16 * kLine, kFarBytes = size_t{1} << 20, kFarStride = 8 * kLine + kLine;
  char* ring = static_cast<char*>(h.memory(kFarBytes + kLine));
  make_ring<<<1, 256>>>(ring, kNearBytes, kLine);
  h.seconds("l1_load", [&](unsigned n) { follow_ring<true><<<1, 32>>>(n, ring, h.clocks(), h.sink()); }, 1u << 16);
  make_ring<<<1, 256>>>(ring, kFarBytes, kFarStride);
  h.latency("l2_latency", kSteps, [&](unsigned n) { follow_ring<false><<<1, 32>>>(n, ring, h.clocks(), h.sink()); });
  check(cudaFree(ring), "freeing");

  const unsigned blocks = h.sms() * unsigned(h.gpu().maxThreadsPerMultiProcessor) / kThreads;
  // As many vectors as whole turns of the grid read.
  const unsigned turn = blocks * kThreads, few = unsigned(std::min<size_t>(l2 / 4, size_t{1} << 20) / 16),
                 many = std::max(1u, unsigned(l2 * 2 / 5 / 16) / turn) * turn;
  auto* memory = static_cast<uint4*>(h.memory(size_t{many} * 16));
  h.rate(
      "l2_to_sm", 16.0 * few, [&](unsigned n) { read_again<<<1, 1024>>>(n, memory, few, h.clocks(), h.sink()); },
      1u << 14);
  h.rate(
      "l2", 16.0 * many, [&](unsigned n) { read_again<<<blocks, kThreads>>>(n, memory, many, h.clocks(), h.sink()); },
      1u << 14);
  constexpr double kSectorsOfLine = 4;
  h.rate("atomic_sectors", double(blocks) * (kThreads / 32) * kSectorsOfLine,
         [&](unsigned n) { add_to_lines<<<blocks, kThreads>>>(n, reinterpret_cast<unsigned*>(memory), h.clocks()); });
  check(cudaFree(memory), "freeing");
}

// Pieces of twice the L2 cache, as many as fit.
class Pieces {
 public:
  Pieces(Harness& h, unsigned shares) : piece_(2 * size_t(h.gpu().l2CacheSize)) {
    const size_t room = h.gpu().totalGlobalMem / 4 / shares;
    most_ = unsigned(std::clamp<size_t>(room / piece_, 2, 16));
  }
  size_t bytes() const { return piece_; }
  size_t all() const { return piece_ * most_; }
  unsigned most() const { return most_; }
  size_t vectors(unsigned n) const { return std::min(n, most_) * (piece_ / 16); }

 private:
  size_t piece_;
  unsigned most_;
};

inline void measure_dram(Harness& h) {
  const unsigned blocks = h.sms() * unsigned(h.gpu().maxThreadsPerMultiProcessor) / kThreads;
  const Pieces pieces(h, 2);
  auto* from = static_cast<uint4*>(h.memory(pieces.all()));
  auto* to = static_cast<uint4*>(h.memory(pieces.all()));
  auto read = [&](unsigned n) { read_once<<<blocks, kThreads>>>(from, pieces.vectors(n), h.clocks(), h.sink()); };
  h.rate("dram_read", double(pieces.bytes()), read, pieces.most());
  h.rate(
      "dram_copy", 2.0 * double(pieces.bytes()),
      [&](unsigned n) {
        const size_t count = pieces.vectors(n);
        copy_once<<<unsigned((count + kThreads - 1) / kThreads), kThreads>>>(from, to, count);
      },
      pieces.most());
  // The driver's kernel: on an H200 it is the faster one, as in `warpwise bench`.
  h.rate(
      "dram_copy_of_driver", 2.0 * double(pieces.bytes()),
      [&](unsigned n) {
        check(cudaMemcpyAsync(to, from, pieces.vectors(n) * sizeof(uint4), cudaMemcpyDeviceToDevice), "copying");
      },
      pieces.most());
  // Each launch walks through memory that the ones before it have not touched for a while.
  const size_t step = size_t{h.sms()} * 32 * 4;
  const unsigned most = unsigned(std::min<size_t>(pieces.all() / 4 / step, 4096));
  size_t offset = 0;
  h.seconds(
      "new_memory",
      [&](unsigned n) {
        if (offset + n * step > pieces.all()) offset = 0;
        walk_new_memory<<<h.sms(), 32>>>(n, reinterpret_cast<const char*>(from) + offset, h.clocks(), h.sink());
        offset += n * step;
      },
      most);
  h.load("dram_read", double(pieces.bytes()), read, pieces.most());
  check(cudaFree(from), "freeing");
  check(cudaFree(to), "freeing");
}

}  // namespace probe
