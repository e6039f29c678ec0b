// Every kind of cooperative group: each thread's view of itself, and what it receives from the others. A line per
// query, with a sum over all threads' results and those of four threads.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <cstdio>

namespace cg = cooperative_groups;

constexpr int kThreads = 256, kMost = 128;

struct Answers {
  unsigned* out;
  unsigned thread;
  int next;
  __device__ void operator()(unsigned v) { out[next++ * kThreads + thread] = v; }
};

struct Wide {
  int first;
  double second;
  char third;
};

template <class Group>
__device__ void common(Answers& say, const Group& g) {
  say(g.thread_rank());
  say(g.num_threads());
  say(g.size());
  say(cg::thread_rank(g) + 1000 * cg::group_size(g));
  g.sync();
  cg::sync(g);
}

template <class Group>
__device__ void warp_group(Answers& say, const Group& g, int v) {
  common(say, g);
  say(g.meta_group_rank() + 100 * g.meta_group_size());
  say(g.shfl(v, 1));
  say(g.shfl_up(v, 2));
  say(g.shfl_down(v, 3));
  say(g.any(v % 7 == 0));
  say(g.all(v > 0));
  say(g.ballot(v % 3 == 0));
  say(g.match_any(v % 5));
  int same;
  say(g.match_all(v / 1000, same) + same);
  Wide w{v, v * 0.5, static_cast<char>(v)};
  w = g.shfl(w, g.num_threads() - 1);
  say(w.first + static_cast<unsigned>(w.second * 4) + w.third);
  say(cg::reduce(g, v, cg::plus<int>()));
  say(cg::reduce(g, v * 0.25f, cg::less<float>()) * 4);
  say(cg::reduce(g, static_cast<unsigned>(v), cg::bit_xor<unsigned>()));
  say(cg::inclusive_scan(g, v));
  say(cg::exclusive_scan(g, v, cg::plus<int>()));
  say(cg::inclusive_scan(g, v % 11, cg::greater<int>()));
}

template <class Group>
__device__ void long_tile(Answers& say, const Group& g, int v) {
  common(say, g);
  say(g.meta_group_rank() + 100 * g.meta_group_size());
  say(g.shfl(v, 35));
  say(g.any(v % 97 == 0));
  say(g.all(v % 97 != 0));
  say(cg::reduce(g, v, cg::plus<int>()));
  say(cg::inclusive_scan(g, v));
  say(cg::exclusive_scan(g, v));
}

__global__ void ask(unsigned* out, int which, int* questions) {
  auto block = cg::this_thread_block();
  unsigned thread = block.thread_rank();
  Answers say{out, thread, 0};
  int v = static_cast<int>(thread * thread % 1009 + 1);
  if (which == 0) {
    common(say, block);
    say(block.group_index().x + block.thread_index().y * 10 + block.dim_threads().z * 100);
    auto token = block.barrier_arrive();
    block.barrier_wait(static_cast<decltype(token)&&>(token));
    auto grid = cg::this_grid();
    say(grid.thread_rank());
    say(grid.num_threads() + grid.num_blocks() + grid.block_rank() + grid.dim_blocks().x);
    cg::thread_group any = block;
    say(any.thread_rank() + any.size());
    cg::thread_group part = cg::tiled_partition(block, 8);
    say(part.thread_rank() + 100 * part.size());
    part.sync();
    auto smaller = cg::tiled_partition(part, 2);
    say(smaller.thread_rank() + 100 * smaller.size());
    say(cg::this_thread().size());
    int ran = 0;
    cg::invoke_one(block, [&] { ran = 1; });
    say(ran);
    auto tile = cg::tiled_partition<32>(block);
    say(cg::invoke_one_broadcast(tile, [&] { return v; }));
  }
  auto warp = cg::tiled_partition<32>(block);
  if (which == 1) {
    warp_group(say, warp, v);
    say(__reduce_add_sync(0xffffffffu, v) + __reduce_min_sync(0xffffffffu, v) + __reduce_max_sync(0xffffffffu, v));
    unsigned u = static_cast<unsigned>(v), evens = 0x55555555u;
    say(thread % 2 ? 0 : __reduce_xor_sync(evens, u) + __reduce_or_sync(evens, u) + __reduce_and_sync(evens, u | 1));
    say(__reduce_min_sync(0xffffffffu, u - 500) + __reduce_max_sync(0xffffffffu, u - 500));
    say(__reduce_min_sync(0xffffffffu, v - 500) + __reduce_max_sync(0xffffffffu, v - 500));
  }
  if (which == 2) {
    auto eight = cg::tiled_partition<8>(warp);
    warp_group(say, eight, v);
    say(eight.shfl_xor(v, 5));
    cg::thread_block_tile<8> plain = eight;
    say(plain.thread_rank());
  }
  if (which == 3 && thread % 3) {
    auto here = cg::coalesced_threads();
    warp_group(say, here, v);
    auto cut = cg::tiled_partition(here, 4);
    say(cut.thread_rank() + 10 * cut.size() + 100 * cut.meta_group_rank() + 10000 * cut.meta_group_size());
    say(cg::reduce(cut, v, cg::plus<int>()));
  }
  if (which == 4) warp_group(say, cg::labeled_partition(warp, v % 3), v);
  if (which == 5) warp_group(say, cg::binary_partition(cg::coalesced_threads(), v % 2), v);
  if (which == 6) long_tile(say, cg::tiled_partition<64>(block), v);
  if (which == 7) long_tile(say, cg::tiled_partition<128>(block), v);
  if (thread == 1) *questions = say.next;
}

int main() {
  unsigned *out, *answers = new unsigned[kMost * kThreads];
  int *questions, count;
  cudaMalloc(&out, kMost * kThreads * sizeof *out);
  cudaMalloc(&questions, sizeof *questions);
  for (int part = 0; part < 8; ++part) {
    cudaMemset(out, 0, kMost * kThreads * sizeof *out);
    ask<<<1, dim3(16, 8, 2)>>>(out, part, questions);
    cudaError_t error = cudaDeviceSynchronize();
    if (error != cudaSuccess) printf("%s\n", cudaGetErrorString(error));
    cudaMemcpy(answers, out, kMost * kThreads * sizeof *out, cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, questions, sizeof count, cudaMemcpyDeviceToHost);
    for (int q = 0; q < count; ++q) {
      const unsigned* a = answers + q * kThreads;
      unsigned sum = 0;
      for (int i = 0; i < kThreads; ++i) sum = sum * 31 + a[i];
      printf("%d.%d: %08x  %u %u %u %u\n", part, q, sum, a[1], a[35], a[100], a[254]);
    }
  }
}
