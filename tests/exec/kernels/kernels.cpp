// Kernels as the compiler would emit them, for tests of the engine without the compiler: compiled to an
// object file, against the same ABI.
#include <cstring>

#include "simt/abi.h"

using namespace warpwise::simt;

namespace {
const int kTable[8] = {3, 1, 4, 1, 5, 9, 2, 6};

template <class T>
T parameter(const BlockContext* block, unsigned offset) {
  return *reinterpret_cast<const T*>(block->parameters + offset);
}
template <class T>
T* device(uint64_t generic) {
  return reinterpret_cast<T*>(generic + kAliasOffset);
}
}  // namespace

extern "C" {

// --- for the loader: constants, jump tables, a call of memset -----------------------------------------
int table_entry(int index) { return kTable[index & 7]; }

int jump(int x, int (*f)(int)) {
  switch (x) {
    case 0:
      return f(1) + 3;
    case 1:
      return f(x) * 7;
    case 2:
      return f(3) - 9;
    case 3:
      return f(x + 5) ^ 5;
    case 4:
      return f(0) | 64;
    case 5:
      return f(x) / 3;
    default:
      return f(-1);
  }
}

void clear(char* bytes, unsigned long count) { __builtin_memset(bytes, 0, count); }
int increment(int x) { return x + 1; }
const void* address_of_table() { return kTable; }

// --- converged kernels ----------------------------------------------------------------------------------
void empty_kernel(BlockContext*) {}

// Each block takes a millisecond or two: each division waits for the one before it. (A counter in memory does not do:
// some processors keep it in a register.)
void slow_kernel(BlockContext*) {
  double x = 1;
  for (uint32_t i = 0; i < 200'000; ++i) x = 1 / (1 + x);
  [[maybe_unused]] volatile double kept = x;
}

// out[i] = a * in[i], parameters {out, in, n, a}
void scale_kernel(BlockContext* block) {
  float* out = device<float>(parameter<uint64_t>(block, 0));
  const float* in = device<float>(parameter<uint64_t>(block, 8));
  uint32_t n = parameter<uint32_t>(block, 16);
  float a = parameter<float>(block, 20);
  for (uint32_t t = 0; t < block->ntid[0]; ++t) {
    block->warp = t / 32;
    uint32_t i = block->ctaid[0] * block->ntid[0] + t;
    if (i < n) out[i] = a * in[i];
  }
}

// Writes one int at the address that is its parameter, from thread 0 of block 1.
void wild_kernel(BlockContext* block) {
  if (block->ctaid[0] != 1) return;
  block->warp = 0;
  *device<volatile int>(parameter<uint64_t>(block, 0)) = 1;
}

// 16 lanes of warp 1 store (or load, through indices) at once, as compiled code does. {address} or {base, indices}
__attribute__((target("avx512f"))) void vector_store_kernel(BlockContext* block) {
  block->warp = 1;
  asm volatile("" ::: "memory");
  using Vector = float __attribute__((vector_size(64)));
  float* const to = device<float>(parameter<uint64_t>(block, 0));
  // In assembly: at any address, and as one instruction.
  asm volatile("vmovups %1, (%0)" : : "r"(to), "v"(Vector{} + 1.0f) : "memory");
}

__attribute__((target("avx512f"))) void gather_kernel(BlockContext* block) {
  block->warp = 1;
  using Vector = int __attribute__((vector_size(64)));
  Vector indices, value{};
  std::memcpy(&indices, device<int>(parameter<uint64_t>(block, 8)), sizeof indices);
  const float* base = device<const float>(parameter<uint64_t>(block, 0));
  asm volatile("kxnorw %%k1, %%k1, %%k1\n vgatherdps (%1, %2, 4), %0 %{%%k1%}"
               : "+v"(value)
               : "r"(base), "v"(indices)
               : "k1", "memory");
}

void print_kernel(BlockContext* block) {
  uint64_t format = parameter<uint64_t>(block, 0);
  struct {
    int block, warp;
    double value;
  } arguments = {static_cast<int>(block->ctaid[0]), 7, 0.5};
  *reinterpret_cast<decltype(arguments)*>(block->local) = arguments;
  block->services->vprintf(block, 0, 0, format, block->local - kAliasOffset);
}

void trap_kernel(BlockContext* block) {
  if (block->ctaid[0] >= 2) block->services->trap(block, 1, 0x10, 0);
}

void endless_kernel(BlockContext* block) {
  block->warp = 3;
  for (;;) block->services->poll(block, 3, 0);
}

// Each block appends its index: order[counter++] = ctaid. Parameters {order, counter}.
void order_kernel(BlockContext* block) {
  uint32_t* order = device<uint32_t>(parameter<uint64_t>(block, 0));
  uint32_t* counter = device<uint32_t>(parameter<uint64_t>(block, 8));
  order[__atomic_fetch_add(counter, 1, __ATOMIC_RELAXED)] = block->ctaid[0];
}

void malloc_kernel(BlockContext* block) {
  uint64_t* out = device<uint64_t>(parameter<uint64_t>(block, 0));
  uint64_t a = block->services->device_malloc(block, 100);
  *device<int>(a) = 5;
  uint64_t b = block->services->device_malloc(block, 1ul << 40);
  out[0] = a;
  out[1] = b;
  block->services->device_free(block, a);
}

// --- split kernels --------------------------------------------------------------------------------------
// out[thread] = sum over the block of thread indices, by a barrier reduction and shared memory.
void barrier_thread(ThreadContext* thread) {
  BlockContext* block = thread->block;
  uint32_t* shared = reinterpret_cast<uint32_t*>(block->shared);
  shared[thread->thread] = thread->thread;
  block->services->barrier_sync(thread, 0, 0, 1);
  uint32_t sum = 0;
  for (uint32_t t = 0; t < block->ntid[0]; ++t) sum += shared[t];
  uint32_t odd = block->services->barrier_red(thread, 1, 0, 0, thread->thread & 1, 2);
  device<uint32_t>(parameter<uint64_t>(block, 0))[thread->thread] = sum * 1000 + odd;
}

// A butterfly sum of lane numbers, in which even and odd lanes call from different places.
void shuffle_thread(ThreadContext* thread) {
  BlockContext* block = thread->block;
  uint32_t value = thread->thread % 32, in_range;
  for (uint32_t step = 16; step; step /= 2) {
    if (thread->thread & 1)
      value += block->services->shfl(thread, 2, value, step, 0x1f, ~0u, &in_range, 10);
    else
      value += block->services->shfl(thread, 2, value, step, 0x1f, ~0u, &in_range, 11);
  }
  device<uint32_t>(parameter<uint64_t>(block, 0))[thread->thread] = value;
}

// Votes of a warp whose upper half has left.
void vote_thread(ThreadContext* thread) {
  BlockContext* block = thread->block;
  const Services* s = block->services;
  uint32_t lane = thread->thread % 32;
  if (lane >= 16) return;
  uint32_t* out = device<uint32_t>(parameter<uint64_t>(block, 0)) + thread->thread * 6;
  uint32_t flag;
  out[0] = s->ballot(thread, lane % 3 == 0, ~0u, 1);
  out[1] = s->match(thread, lane / 4, ~0u, &flag, 2);
  out[2] = flag;
  out[3] = s->redux(thread, 0, lane, 0xffff, 3);
  out[4] = s->elect(thread, 0xffff, &flag, 4) << 1 | flag;
  out[5] = lane < 5 ? s->activemask(thread, 5) : s->activemask(thread, 6);
}

// A spin lock within a warp: needs every thread to advance. Parameters {lock, counter}.
void lock_thread(ThreadContext* thread) {
  BlockContext* block = thread->block;
  uint32_t* lock = device<uint32_t>(parameter<uint64_t>(block, 0));
  uint32_t* counter = device<uint32_t>(parameter<uint64_t>(block, 8));
  while (__atomic_exchange_n(lock, 1, __ATOMIC_ACQUIRE)) block->services->yield(thread, 1);
  uint32_t old = *counter;
  block->services->yield(thread, 2);  // another thread tries meanwhile
  *counter = old + 1;
  __atomic_store_n(lock, 0, __ATOMIC_RELEASE);
}

// Block 0 waits for the last block.
void flag_thread(ThreadContext* thread) {
  BlockContext* block = thread->block;
  uint32_t* flag = device<uint32_t>(parameter<uint64_t>(block, 0));
  if (block->ctaid[0] == 0) {
    while (!__atomic_load_n(flag, __ATOMIC_ACQUIRE)) block->services->yield(thread, 1);
    device<uint32_t>(parameter<uint64_t>(block, 8))[thread->thread] = __atomic_load_n(flag, __ATOMIC_ACQUIRE);
  } else if (block->ctaid[0] == block->nctaid[0] - 1) {
    __atomic_store_n(flag, 77, __ATOMIC_RELEASE);
  }
}

// Even threads wait at barrier 1, odd ones at barrier 2: no thread can go on.
void deadlock_thread(ThreadContext* thread) {
  thread->block->services->barrier_sync(thread, 1 + (thread->thread & 1), 64, thread->thread & 1);
}

// Producer and consumer: warp 0 arrives, warp 1 waits.
void arrive_thread(ThreadContext* thread) {
  BlockContext* block = thread->block;
  uint32_t* shared = reinterpret_cast<uint32_t*>(block->shared);
  if (thread->thread < 32) {
    shared[thread->thread] = thread->thread + 100;
    block->services->barrier_arrive(thread, 3, 64, 1);
  } else {
    block->services->barrier_sync(thread, 3, 64, 2);
    device<uint32_t>(parameter<uint64_t>(block, 0))[thread->thread - 32] = shared[thread->thread - 32];
  }
}

void wild_thread(ThreadContext* thread) {
  if (thread->thread == 37) *device<volatile int>(parameter<uint64_t>(thread->block, 0)) = 1;
}

int endless_recursion(volatile int* x) {
  volatile int mine[64];
  mine[*x & 63] = *x;
  return endless_recursion(mine) + mine[3];
}
void recursion_thread(ThreadContext* thread) {
  volatile int x = 1;
  if (thread->thread == 3) device<int>(0)[0] = endless_recursion(&x);
}

}  // extern "C"
