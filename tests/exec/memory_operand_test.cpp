// The expected addresses are computed by the processor itself: each instruction is run at an address that
// faults, and what is decoded must contain what the processor reports.
#include "exec/fault/memory_operand.h"

#include <gtest/gtest.h>
#include <immintrin.h>
#include <signal.h>
#include <sys/mman.h>

#include "exec/fault/guard.h"
#include "exec/memory/arena.h"

namespace warpwise::exec {
namespace {

std::optional<MemoryOperand> decode(std::initializer_list<uint8_t> code, const Registers& registers) {
  return decode_memory_operand({code.begin(), code.size()}, registers);
}

Registers numbered() {
  Registers registers;
  for (unsigned i = 0; i < 16; ++i) registers.general[i] = 0x1000 * (i + 1);
  registers.rip = 0x400000;
  return registers;
}
constexpr uint64_t rax = 0x1000, rcx = 0x2000, r9 = 0xa000, r13 = 0xe000;

// Encodings as llvm-mc prints them.
TEST(MemoryOperand, finds_scalar_addresses) {
  Registers r = numbered();
  EXPECT_EQ(decode({0x8b, 0x01}, r)->elements[0].address, rcx);                  // mov eax, [rcx]
  EXPECT_EQ(decode({0x41, 0x8b, 0x45, 0xf8}, r)->elements[0].address, r13 - 8);  // mov eax, [r13-8]
  EXPECT_EQ(decode({0x89, 0x84, 0x88, 0, 1, 0, 0}, r)->elements[0].address, rax + 4 * rcx + 256);
  EXPECT_EQ(decode({0x8b, 0x04, 0x25, 0x78, 0x56, 0x34, 0x12}, r)->elements[0].address, 0x12345678u);
  EXPECT_EQ(decode({0x48, 0x8b, 0x05, 0x10, 0, 0, 0}, r)->elements[0].address, 0x400000u + 7 + 16);  // rip
  EXPECT_EQ(decode({0xf0, 0x41, 0x0f, 0xb1, 0x09}, r)->elements[0].address, r9);  // lock cmpxchg [r9], ecx
  EXPECT_EQ(decode({0xf3, 0x0f, 0x11, 0x41, 0x04}, r)->vector_bytes, 0u);         // movss [rcx+4], xmm0
  EXPECT_FALSE(decode({0x89, 0xc8}, r));                                          // mov eax, ecx
  EXPECT_FALSE(decode({0x48}, r));
}

TEST(MemoryOperand, tells_registers_that_are_added) {
  Registers r = numbered();
  auto both = decode({0x42, 0x8b, 0x04, 0x09}, r);  // mov eax, [rcx+r9]
  EXPECT_EQ(both->elements[0].address, rcx + r9);
  EXPECT_EQ(both->base, rcx);
  EXPECT_EQ(both->index, r9);
  auto scaled = decode({0x89, 0x84, 0x88, 0, 1, 0, 0}, r);  // mov [rax+4*rcx+256], eax
  EXPECT_EQ(scaled->base, rax);
  EXPECT_EQ(scaled->index, std::nullopt);
  EXPECT_EQ(decode({0x8b, 0x04, 0x25, 0x78, 0x56, 0x34, 0x12}, r)->base, std::nullopt);  // mov eax, [0x12345678]
}

TEST(MemoryOperand, finds_vector_addresses) {
  Registers r = numbered();
  auto sse = decode({0x0f, 0x11, 0x41, 0x20}, r);  // movups [rcx+32], xmm0
  EXPECT_EQ(sse->elements[0].address, rcx + 32);
  EXPECT_EQ(sse->vector_bytes, 16u);
  auto avx = decode({0xc5, 0xfc, 0x10, 0x44, 0x88, 0x20}, r);  // vmovups ymm0, [rax+4*rcx+32]
  EXPECT_EQ(avx->elements[0].address, rax + 4 * rcx + 32);
  EXPECT_EQ(avx->vector_bytes, 32u);
  auto evex = decode({0x62, 0xf1, 0x7c, 0x48, 0x10, 0x41, 0x01}, r);  // vmovups zmm0, [rcx+64]
  EXPECT_EQ(evex->elements[0].address, rcx + 64);
  EXPECT_EQ(evex->vector_bytes, 64u);
  auto broadcast = decode({0x62, 0xf1, 0x7c, 0x58, 0x58, 0x41, 0x01}, r);  // vaddps zmm0, zmm0, [rcx+4]{1to16}
  EXPECT_EQ(broadcast->elements[0].address, rcx + 4);
}

#if defined(__x86_64__)
// In the engine's view, far from what the arena hands out first.
constexpr uint64_t kHole = Arena::kFirst + simt::kAliasOffset + (uint64_t{3} << 40);

// A gather whose lane 5 points into a page that is not there.
template <class Gather>
void check_gather(Gather gather, unsigned expected_lane, unsigned lanes) {
  enter_fault_handling();
  const std::byte* hole = static_cast<std::byte*>(
      mmap(reinterpret_cast<void*>(kHole), 8192, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED_NOREPLACE, -1, 0));
  ASSERT_EQ(reinterpret_cast<uint64_t>(hole), kHole);
  struct Job {
    Gather* gather;
    const std::byte* base;
    int32_t offsets[16];
  } job{&gather, hole, {}};
  for (unsigned i = 0; i < 16; ++i) job.offsets[i] = i == expected_lane ? 8192 / 4 + 3 : i;
  KernelGuard guard(nullptr);  // the address is in the engine's view
  ASSERT_FALSE(guard.run(
      [](void* p) {
        Job* job = static_cast<Job*>(p);
        (*job->gather)(job->base, job->offsets);
      },
      &job));
  const Registers& registers = guard.signal().registers;
  auto operand = decode_memory_operand({reinterpret_cast<const uint8_t*>(registers.rip), 15}, registers);
  ASSERT_TRUE(operand);
  EXPECT_TRUE(operand->indexed);
  ASSERT_FALSE(operand->elements.empty());
  EXPECT_LE(operand->elements.size(), lanes);
  EXPECT_EQ(operand->elements[0].index, expected_lane);
  EXPECT_EQ(operand->elements[0].address, kHole + 8192 + 12);
  EXPECT_EQ(operand->elements[0].kept, 8192 / 4 + 3) << "what the target held before";
  EXPECT_EQ(guard.signal().address & ~uint64_t{4095}, kHole + 8192);
  munmap(const_cast<std::byte*>(hole), 8192);
}

// The instructions themselves: intrinsics need optimisation for their scale to be a constant.
__attribute__((target("avx512f"), noinline)) void gather512(const std::byte* base, const int32_t* offsets) {
  const __m512i index = _mm512_loadu_si512(offsets);
  __m512i value = index;
  __mmask16 all = 0xffff;
  asm volatile("vpgatherdd (%[base],%[index],4), %[value]%{%[mask]%}"
               : [value] "+&v"(value), [mask] "+&Yk"(all)
               : [base] "r"(base), [index] "v"(index)
               : "memory");
}
__attribute__((target("avx2"), noinline)) void gather256(const std::byte* base, const int32_t* offsets) {
  const __m256i index = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(offsets));
  __m256i value = index, all = _mm256_set1_epi32(-1);
  asm volatile("vpgatherdd %[mask], (%[base],%[index],4), %[value]"
               : [value] "+&x"(value), [mask] "+&x"(all)
               : [base] "r"(base), [index] "x"(index)
               : "memory");
}

TEST(MemoryOperand, finds_the_lane_of_a_gather) {
  if (__builtin_cpu_supports("avx512f")) check_gather(gather512, 5, 16);
  if (__builtin_cpu_supports("avx2")) check_gather(gather256, 6, 8);
  if (!__builtin_cpu_supports("avx2")) GTEST_SKIP() << "the host has no gathers";
}
#endif

}  // namespace
}  // namespace warpwise::exec
