// Two blocks, on two host threads: one writes pairs of numbers that belong together, the other reads them while it
// does. Hardware moves aligned 16 bytes in one piece, and CUB's scans rely on it (simt/codegen/atomic_16_bytes.h): no
// reader sees half of a pair.
#include <gtest/gtest.h>

#include "warpwise/warpwise.h"

namespace warpwise {
namespace {

constexpr const char* kSource = R"(
template <bool Apart> __device__ void write_and_read(ulonglong2* wide, uint2* narrow, unsigned* torn, int turns) {
  if (Apart && threadIdx.x < 32) asm volatile("bar.sync 1, 32;");  // thread by thread
  unsigned halves = 0;
  for (int k = 0; k < turns; ++k) {
    unsigned long long a = k, not_a = ~a;
    unsigned b = k, not_b = ~b;
    if (blockIdx.x == 0) {
      asm volatile("st.relaxed.gpu.v2.u64 [%0], {%1, %2};" :: "l"(wide + threadIdx.x), "l"(a), "l"(not_a) : "memory");
      asm volatile("st.relaxed.gpu.v2.u32 [%0], {%1, %2};" :: "l"(narrow + threadIdx.x), "r"(b), "r"(not_b) : "memory");
    } else {
      asm volatile("ld.relaxed.gpu.v2.u64 {%0, %1}, [%2];" : "=l"(a), "=l"(not_a) : "l"(wide + threadIdx.x) : "memory");
      asm volatile("ld.relaxed.gpu.v2.u32 {%0, %1}, [%2];" : "=r"(b), "=r"(not_b) : "l"(narrow + threadIdx.x) : "memory");
      halves += (not_a != ~a) + (not_b != ~b);
    }
  }
  atomicAdd(torn, halves);
}
extern "C" __global__ void as_warps(ulonglong2* wide, uint2* narrow, unsigned* torn, int turns) { write_and_read<false>(wide, narrow, torn, turns); }
extern "C" __global__ void apart(ulonglong2* wide, uint2* narrow, unsigned* torn, int turns) { write_and_read<true>(wide, narrow, torn, turns); }
)";

TEST(OnePiece, no_reader_sees_half_of_16_bytes) {
  Device device = Device::open({}).value();
  CompileOptions how;
  how.compiler = Compiler::Clang;
  Result<Module> module = device.compile(kSource, how);
  ASSERT_TRUE(module) << module.error().message;
  constexpr int kLanes = 32, kTurns = 100'000;
  std::vector<uint64_t> wide;
  std::vector<uint32_t> narrow;
  for (int lane = 0; lane < kLanes; ++lane)
    wide.insert(wide.end(), {0, ~uint64_t{0}}), narrow.insert(narrow.end(), {0, ~uint32_t{0}});
  for (const char* name : {"as_warps", "apart"})
    for (uint32_t threads : {uint32_t{kLanes}, 1u}) {
      Memory wides = device.upload(wide).value(), narrows = device.upload(narrow).value(),
             torn = device.upload(std::vector<uint32_t>(1)).value();
      ASSERT_TRUE(module->kernel(name)->launch({.grid = {2}, .block = {threads}}, wides, narrows, torn, kTurns));
      EXPECT_EQ(torn.download<uint32_t>().value()[0], 0u) << name << ", " << threads << " threads";
    }
}

}  // namespace
}  // namespace warpwise
