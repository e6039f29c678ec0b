// CUB's collectives of a warp and a block, and its device-wide algorithms.
#include <cub/cub.cuh>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

constexpr int kThreads = 128, kItems = 4, kTile = kThreads * kItems;

void tell(const char* what, bool right) { std::printf("%s: %s\n", what, right ? "right" : "WRONG"); }

__global__ void collectives(const int* in, int* sums, int* scanned, int* sorted, int* warp_sums, int* turned) {
  using Reduce = cub::BlockReduce<int, kThreads>;
  using Scan = cub::BlockScan<int, kThreads, cub::BLOCK_SCAN_WARP_SCANS>;
  using Sort = cub::BlockRadixSort<int, kThreads, kItems>;
  using Exchange = cub::BlockExchange<int, kThreads, kItems>;
  using WarpSum = cub::WarpReduce<int>;
  __shared__ union {
    typename Reduce::TempStorage reduce;
    typename Scan::TempStorage scan;
    typename Sort::TempStorage sort;
    typename Exchange::TempStorage exchange;
    typename WarpSum::TempStorage warp[kThreads / 32];
  } shared;
  int items[kItems];
  cub::LoadDirectBlocked(threadIdx.x, in + blockIdx.x * kTile, items);
  int total = Reduce(shared.reduce).Sum(items);
  if (threadIdx.x == 0) sums[blockIdx.x] = total;
  __syncthreads();
  int running[kItems];
  Scan(shared.scan).InclusiveSum(items, running);
  cub::StoreDirectBlocked(threadIdx.x, scanned + blockIdx.x * kTile, running);
  __syncthreads();
  int mine = WarpSum(shared.warp[threadIdx.x / 32]).Sum(items[0]);
  if (threadIdx.x % 32 == 0) warp_sums[(blockIdx.x * kThreads + threadIdx.x) / 32] = mine;
  __syncthreads();
  int striped[kItems];
  Exchange(shared.exchange).BlockedToStriped(items, striped);
  cub::StoreDirectStriped<kThreads>(threadIdx.x, turned + blockIdx.x * kTile, striped);
  __syncthreads();
  Sort(shared.sort).Sort(items);
  cub::StoreDirectBlocked(threadIdx.x, sorted + blockIdx.x * kTile, items);
}

// Calls an algorithm twice, as CUB requires: for the size of its memory, and with it.
template <class Algorithm>
void with_storage(Algorithm algorithm) {
  size_t bytes = 0;
  algorithm(nullptr, bytes);
  void* storage = nullptr;
  cudaMalloc(&storage, bytes);
  algorithm(storage, bytes);
  cudaDeviceSynchronize();
  cudaFree(storage);
}

int* managed(size_t count) {
  int* memory = nullptr;
  cudaMallocManaged(&memory, count * sizeof(int));
  return memory;
}

int main() {
  constexpr int blocks = 5, n = blocks * kTile;
  int *in = managed(n), *out = managed(n), *sums = managed(blocks), *sorted = managed(n), *warp_sums = managed(n / kItems / 32),
      *turned = managed(n), *count = managed(1), *values = managed(n), *values_out = managed(n);
  for (int i = 0; i < n; ++i) in[i] = i * 7919 % 1009 - 300, values[i] = i;
  std::vector<int> numbers(in, in + n);

  collectives<<<blocks, kThreads>>>(in, sums, out, sorted, warp_sums, turned);
  cudaDeviceSynchronize();
  bool reduced = true, scanned = true, in_order = true, warps = true, exchanged = true;
  for (int b = 0; b < blocks; ++b) {
    std::vector<int> tile(numbers.begin() + b * kTile, numbers.begin() + (b + 1) * kTile), expected(kTile);
    reduced &= sums[b] == std::accumulate(tile.begin(), tile.end(), 0);
    std::partial_sum(tile.begin(), tile.end(), expected.begin());
    scanned &= std::equal(expected.begin(), expected.end(), out + b * kTile);
    exchanged &= std::equal(tile.begin(), tile.end(), turned + b * kTile);
    for (int w = 0; w < kThreads / 32; ++w) {
      int sum = 0;
      for (int lane = 0; lane < 32; ++lane) sum += tile[(w * 32 + lane) * kItems];
      warps &= warp_sums[b * kThreads / 32 + w] == sum;
    }
    std::sort(tile.begin(), tile.end());
    in_order &= std::equal(tile.begin(), tile.end(), sorted + b * kTile);
  }
  tell("BlockReduce", reduced), tell("BlockScan", scanned), tell("WarpReduce", warps), tell("BlockExchange", exchanged);
  tell("BlockRadixSort", in_order);

  with_storage([&](void* storage, size_t& bytes) { cub::DeviceReduce::Sum(storage, bytes, in, out, n); });
  tell("DeviceReduce", out[0] == std::accumulate(numbers.begin(), numbers.end(), 0));
  with_storage([&](void* storage, size_t& bytes) { cub::DeviceScan::ExclusiveSum(storage, bytes, in, out, n); });
  std::vector<int> expected(n);
  std::exclusive_scan(numbers.begin(), numbers.end(), expected.begin(), 0);
  tell("DeviceScan", std::equal(expected.begin(), expected.end(), out));

  with_storage([&](void* storage, size_t& bytes) { cub::DeviceRadixSort::SortPairs(storage, bytes, in, out, values, values_out, n); });
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return numbers[a] < numbers[b]; });
  bool pairs = true;
  for (int i = 0; i < n; ++i) pairs &= values_out[i] == order[i] && out[i] == numbers[order[i]];
  tell("DeviceRadixSort", pairs);

  auto positive = [] __device__(int x) { return x > 0; };
  with_storage([&](void* storage, size_t& bytes) { cub::DeviceSelect::If(storage, bytes, in, out, count, n, positive); });
  std::vector<int> chosen;
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(chosen), [](int x) { return x > 0; });
  tell("DeviceSelect", *count == static_cast<int>(chosen.size()) && std::equal(chosen.begin(), chosen.end(), out));

  with_storage([&](void* storage, size_t& bytes) { cub::DeviceHistogram::HistogramEven(storage, bytes, in, out, 17, -400, 1200, n); });
  bool bins = true;
  for (int b = 0; b < 16; ++b)
    bins &= out[b] == std::count_if(numbers.begin(), numbers.end(), [&](int x) { return x >= -400 + 100 * b && x < -300 + 100 * b; });
  tell("DeviceHistogram", bins);
  std::printf("%s\n", cudaGetErrorName(cudaGetLastError()));
}
