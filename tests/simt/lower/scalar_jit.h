// Runs one thread of a PTX kernel straight after lowering: registers to SSA, NaN marks decided, LLVM's JIT. No
// masks, no lanes, no engine; addresses of the program are the host's own.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace warpwise::simt::test {

// A compiled kernel.
class Kernel {
 public:
  Kernel();
  ~Kernel();
  // The entry called `name`, or the first one, of `ptx`. A failure to parse or lower is thrown with its message.
  static std::unique_ptr<Kernel> compile(const std::string& ptx, std::array<uint32_t, 3> block = {32, 1, 1},
                                         std::string_view name = "");
  // Only lowers: the error, or "" and the IR's text in `ir`; with `clean`, after registers became SSA values and
  // the NaN marks were decided.
  static Error try_lower(const std::string& ptx, std::string* ir = nullptr, bool clean = false);

  void run();

  uint32_t tid = 5;  // %tid.x and %laneid
  std::vector<uint64_t> parameters = std::vector<uint64_t>(64);
  alignas(16) std::array<std::byte, 4096> shared{};
  alignas(16) std::array<std::byte, 4096> local{};
  alignas(16) std::array<std::byte, 4096> globals{};

 private:
  struct Code;
  std::unique_ptr<Code> code_;
};

// What the dialect's functions were called with, newest last, for tests of control and warp instructions:
// "ww.barrier.sync 1 64".
std::vector<std::string>& calls();

// One instruction as a function: `op d, a, b, c` with operands of these PTX register types.
//
//     Instruction add("add.f32 %d, %a, %b;", "f32", {"f32", "f32"});
//     uint32_t bits = add(0x3f800000, 0x3f800000);
//
// Values are bits, zero-extended. Operands come from memory, the result goes to memory.
class Instruction {
 public:
  Instruction(const std::string& text, const std::string& d, const std::vector<std::string>& operands,
              const std::string& extra_registers = "");
  template <class... Bits>
  uint64_t operator()(Bits... bits) {
    return evaluate({static_cast<uint64_t>(bits)...});
  }
  uint64_t evaluate(std::vector<uint64_t> operands);

 private:
  std::unique_ptr<Kernel> kernel_;
};

inline uint32_t bits(float f) { return std::bit_cast<uint32_t>(f); }
inline uint64_t bits(double f) { return std::bit_cast<uint64_t>(f); }
inline float f32(uint64_t b) { return std::bit_cast<float>(static_cast<uint32_t>(b)); }
inline double f64(uint64_t b) { return std::bit_cast<double>(b); }

// Interesting operands, then random ones: `count` words of `width` bits. For floats the interesting ones are
// zeros, subnormals, ones, limits, infinities and NaN.
std::vector<uint64_t> float_samples(unsigned width, size_t count, uint64_t seed = 1);
std::vector<uint64_t> integer_samples(unsigned width, size_t count, uint64_t seed = 1);

// Does the NaN rule hold: both NaN (and the result canonical, for 32 and 16 bits) or equal bits?
bool agrees(uint64_t result, uint64_t expected, unsigned width);

}  // namespace warpwise::simt::test
