// thrust on the device, compared with thrust on the host: radix and merge sorts, scans with look-back, reductions,
// selections. One line each.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/iterator/counting_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>

#include <algorithm>
#include <cstdio>
#include <numeric>
#include <vector>

template <class T>
bool same(const thrust::device_vector<T>& device, const std::vector<T>& host) {
  std::vector<T> got(device.size());
  thrust::copy(device.begin(), device.end(), got.begin());
  return got == host;
}
void tell(const char* what, bool right) { std::printf("%s: %s\n", what, right ? "right" : "WRONG"); }

struct IsOdd {
  __host__ __device__ bool operator()(unsigned x) const { return x % 2; }
};
struct ByLastDigit {
  __host__ __device__ bool operator()(unsigned a, unsigned b) const { return a % 10 < b % 10; }
};

int main() {
  constexpr int n = 9000;  // several tiles of each algorithm, and a part of one
  std::vector<unsigned> numbers(n);
  for (int i = 0; i < n; ++i) numbers[i] = static_cast<unsigned>(i) * 2654435761u % 100003u;

  thrust::device_vector<unsigned> keys(numbers.begin(), numbers.end());
  std::vector<unsigned> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  thrust::sort(keys.begin(), keys.end());
  tell("sort", same(keys, sorted));

  keys.assign(numbers.begin(), numbers.end());
  thrust::device_vector<int> values(thrust::counting_iterator<int>(0), thrust::counting_iterator<int>(n));
  std::vector<int> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return numbers[a] < numbers[b]; });
  thrust::stable_sort_by_key(keys.begin(), keys.end(), values.begin());
  tell("stable_sort_by_key", same(keys, sorted) && same(values, order));

  keys.assign(numbers.begin(), numbers.end());
  std::vector<unsigned> by_digit = numbers;
  std::stable_sort(by_digit.begin(), by_digit.end(), ByLastDigit());
  thrust::stable_sort(keys.begin(), keys.end(), ByLastDigit());
  tell("stable_sort with an order of its own", same(keys, by_digit));

  keys.assign(numbers.begin(), numbers.end());
  tell("reduce", thrust::reduce(keys.begin(), keys.end(), 0ull) == std::accumulate(numbers.begin(), numbers.end(), 0ull));
  std::vector<unsigned> sums(n);
  thrust::device_vector<unsigned> scanned(n);
  std::partial_sum(numbers.begin(), numbers.end(), sums.begin());
  thrust::inclusive_scan(keys.begin(), keys.end(), scanned.begin());
  tell("inclusive_scan", same(scanned, sums));
  thrust::device_vector<unsigned> odd(n);
  odd.resize(thrust::copy_if(keys.begin(), keys.end(), odd.begin(), IsOdd()) - odd.begin());
  std::vector<unsigned> odd_ones;
  std::copy_if(numbers.begin(), numbers.end(), std::back_inserter(odd_ones), IsOdd());
  tell("copy_if", same(odd, odd_ones));

  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
