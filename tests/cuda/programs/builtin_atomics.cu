// The built-in atomic functions (__nv_atomic_…): every function, type and size against the same sums on the host, orders that carry data
// from one block to another, and exchanges of types that are no numbers.
#include <cstdio>
#include <cstring>
#include <type_traits>

constexpr int kThreads = 256, kBlocks = 4, kAll = kThreads * kBlocks;

template <class T> struct Results {
  T added, subtracted, least, most, anded, ored, xored, silent;
  T olds;  // of all additions: 0 + 1 + …, whatever the order
};
template <class T, bool has_sums> __global__ void integers(Results<T>* r) {
  const T i = static_cast<T>(blockIdx.x * blockDim.x + threadIdx.x);
  if constexpr (has_sums) {
    const T old = __nv_atomic_fetch_add(&r->added, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_add(&r->olds, old, __NV_ATOMIC_RELAXED);
    __nv_atomic_fetch_sub(&r->subtracted, i, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_sub(&r->subtracted, 1, __NV_ATOMIC_RELEASE);
    __nv_atomic_add(&r->silent, i, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  }
  __nv_atomic_fetch_min(&r->least, i - 7, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_min(&r->least, i - 5, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(&r->most, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_max(&r->most, 3, __NV_ATOMIC_CONSUME, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_and(&r->anded, ~(T(1) << (i % 20)), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_and(&r->anded, ~(T(1) << 21), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_or(&r->ored, T(1) << (i % 20), __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_or(&r->ored, T(1) << 21, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_xor(&r->xored, i * 5, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_xor(&r->xored, i * 3, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
}

template <class T, bool has_sums> void check_integers(const char* name) {
  Results<T>*got, want{};
  cudaMallocManaged(&got, sizeof *got);
  memset(got, 0, sizeof *got);
  got->anded = want.anded = ~T(0), got->least = want.least = 100;
  integers<T, has_sums><<<kBlocks, kThreads>>>(got);
  cudaDeviceSynchronize();
  for (int n = 0; n < kAll; ++n) {
    const T i = static_cast<T>(n);
    if (has_sums) want.olds += want.added, want.added += 1, want.subtracted -= i + 1, want.silent += i;
    const T low = i - 7, high = i - 5;
    want.least = low < want.least ? low : want.least, want.least = high < want.least ? high : want.least;
    want.most = i > want.most ? i : want.most, want.most = want.most < 3 ? 3 : want.most;
    want.anded &= ~(T(1) << (i % 20)) & ~(T(1) << 21), want.ored |= T(1) << (i % 20) | T(1) << 21, want.xored ^= (i * 5) ^ (i * 3);
  }
  printf("%s: %s\n", name, memcmp(got, &want, sizeof want) == 0 ? "as on the host" : "WRONG");
  cudaFree(got);
}

// Sums of small whole numbers are exact in any order.
template <class T> __global__ void reals(T* sums) {
  const T i = threadIdx.x % 16;
  const T old = __nv_atomic_fetch_add(sums, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  if (old < 0) __nv_atomic_add(sums, 1000000, __NV_ATOMIC_RELAXED);
  __nv_atomic_add(sums + 1, i, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_sub(sums + 2, i, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_sub(sums + 3, i, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
}
template <class T> void check_reals(const char* name) {
  T* sums;
  cudaMallocManaged(&sums, 4 * sizeof(T));
  memset(sums, 0, 4 * sizeof(T));
  reals<<<kBlocks, kThreads>>>(sums);
  cudaDeviceSynchronize();
  const T all = kAll / 16 * 120;
  printf("%s: %s\n", name, sums[0] == all && sums[1] == all && sums[2] == -all && sums[3] == -all ? "as on the host" : "WRONG");
  cudaFree(sums);
}

// Moves: a load returns what was stored, an exchange returns the old value, and a comparison returns what it found.
template <class T> __device__ bool same(const T& a, const T& b) {
  const char *x = reinterpret_cast<const char*>(&a), *y = reinterpret_cast<const char*>(&b);
  for (size_t i = 0; i < sizeof(T); ++i)
    if (x[i] != y[i]) return false;
  return true;
}
template <class T> __global__ void moves(T* p, T a, T b, bool* right) {
  T value, old;
  __nv_atomic_store(p, &a, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_load(p, &value, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_THREAD);
  bool good = same(value, a);
  if constexpr (sizeof(T) >= 4) {
    __nv_atomic_exchange(p, &b, &old, __NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_CLUSTER);
    good = good && same(old, a);
    __nv_atomic_exchange(p, &a, &old, __NV_ATOMIC_RELAXED);
    good = good && same(old, b);
  }
  if constexpr (sizeof(T) >= 2) {
    T expected = b;
    good = good && !__nv_atomic_compare_exchange(p, &expected, &b, false, __NV_ATOMIC_SEQ_CST, __NV_ATOMIC_RELAXED);
    good = good && same(expected, a);
    good = good && __nv_atomic_compare_exchange(p, &expected, &b, true, __NV_ATOMIC_RELEASE, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE);
    __nv_atomic_load(p, &value, __NV_ATOMIC_SEQ_CST);
    good = good && same(value, b);
  }
  *right = good;
}
template <class T> __global__ void numbers(T* p, bool* right) {
  __nv_atomic_store_n(p, 17, __NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_DEVICE);
  bool good = __nv_atomic_load_n(p, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE) == 17;
  if constexpr (sizeof(T) >= 4) good = good && __nv_atomic_exchange_n(p, 18, __NV_ATOMIC_ACQUIRE) == 17;
  if constexpr (sizeof(T) >= 2) {
    T expected = sizeof(T) >= 4 ? 18 : 17;
    const T there = expected;
    good = good && __nv_atomic_compare_exchange_n(p, &expected, 19, true, __NV_ATOMIC_RELAXED, __NV_ATOMIC_RELAXED);
    good = good && !__nv_atomic_compare_exchange_n(p, &expected, 20, true, __NV_ATOMIC_ACQUIRE, __NV_ATOMIC_RELAXED) && expected == 19 && there != 19;
  }
  *right = good;
}
struct Pair { short x, y; };
struct alignas(8) Point { float x, y; };
struct alignas(16) Sixteen { unsigned long long low; float x, y; };
template <class T> void check_moves(const char* name, T a, T b) {
  T* p;
  bool* right;
  cudaMallocManaged(&p, sizeof(T));
  cudaMallocManaged(&right, 1);
  moves<<<1, 1>>>(p, a, b, right);
  cudaDeviceSynchronize();
  printf("%s: %s\n", name, *right ? "right" : "WRONG");
  if constexpr (std::is_integral_v<T>) {
    numbers<<<1, 1>>>(p, right);
    cudaDeviceSynchronize();
    printf("%s as a number: %s\n", name, *right ? "right" : "WRONG");
  }
  cudaFree(p), cudaFree(right);
}

// Each block waits for the one before it, and reads what that one has written with plain stores.
__global__ void relay(int* data, int* turn, int* fenced) {
  const int block = blockIdx.x;
  if (threadIdx.x == 0) {
    while (__nv_atomic_load_n(turn, __NV_ATOMIC_ACQUIRE, __NV_THREAD_SCOPE_DEVICE) != block) {}
    data[block + 1] = data[block] + block;
    if (block % 2 == 0) {
      __nv_atomic_store_n(turn, block + 1, __NV_ATOMIC_RELEASE, __NV_THREAD_SCOPE_DEVICE);
    } else {
      __nv_atomic_thread_fence(__NV_ATOMIC_ACQ_REL, __NV_THREAD_SCOPE_DEVICE);
      __nv_atomic_fetch_add(turn, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
    }
  }
  __shared__ int words[2];
  if (threadIdx.x < 2) words[threadIdx.x] = 0;
  __syncthreads();
  __nv_atomic_add(&words[threadIdx.x % 2], 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_BLOCK);
  __nv_atomic_thread_fence(__NV_ATOMIC_SEQ_CST, __NV_THREAD_SCOPE_BLOCK);
  __syncthreads();
  if (threadIdx.x == 0) fenced[block] = words[0] + words[1];
}

int main() {
#ifdef __CUDACC_DEVICE_ATOMIC_BUILTINS__
  printf("the compiler says that it has them\n");
#endif
  check_integers<int, true>("int");
  check_integers<unsigned, true>("unsigned int");
  check_integers<long long, false>("long long");
  check_integers<unsigned long long, true>("unsigned long long");
  check_integers<unsigned long, true>("unsigned long");
  check_reals<float>("float");
  check_reals<double>("double");
  check_moves<unsigned char>("a byte", 200, 100);
  check_moves<short>("two bytes", -2, 300);
  check_moves<unsigned>("a word", 1u << 31, 5);
  check_moves<long long>("two words", -(1ll << 40), 9);
  check_moves("a pair of shorts", Pair{-1, 2}, Pair{3, -4});
  check_moves("a point", Point{1.5f, -2.5f}, Point{0, 7});
  check_moves("16 bytes", Sixteen{1ull << 63, 1, 2}, Sixteen{3, 4, -5});
  constexpr int kRelay = 6;
  int *data, *turn, *fenced;
  cudaMallocManaged(&data, (kRelay + 1) * sizeof(int));
  cudaMallocManaged(&turn, sizeof(int));
  cudaMallocManaged(&fenced, kRelay * sizeof(int));
  data[0] = 100, *turn = 0;
  relay<<<kRelay, 64>>>(data, turn, fenced);
  const cudaError_t end = cudaDeviceSynchronize();
  printf("%s: %d %d %d\n", cudaGetErrorName(end), data[kRelay], *turn, fenced[kRelay - 1]);
}
