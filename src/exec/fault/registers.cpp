#include "exec/fault/registers.h"

#include <cpuid.h>
#include <ucontext.h>

#include <algorithm>
#include <cstring>

namespace warpwise::exec {
namespace {

// State components (Intel SDM volume 1, 13.1).
constexpr unsigned kAvx = 2, kOpmask = 5, kZmmHigh = 6, kZmm16To31 = 7;
constexpr size_t kXmmOffset = 160, kLegacyBytes = 512, kHeaderBytes = 64;
// Linux marks a frame that holds more than the legacy part in the bytes that FXSAVE leaves to software
// (struct _fpx_sw_bytes, asm/sigcontext.h).
constexpr size_t kSoftwareOffset = 464;
constexpr uint32_t kExtendedMagic = 0x46505853;
struct SoftwareBytes {
  uint32_t magic, extended_size;
  uint64_t features;
  uint32_t xstate_size;
};

}  // namespace

void Registers::capture(const void* context) {
  const mcontext_t& machine = static_cast<const ucontext_t*>(context)->uc_mcontext;
  constexpr int kOrder[16] = {REG_RAX, REG_RCX, REG_RDX, REG_RBX, REG_RSP, REG_RBP, REG_RSI, REG_RDI,
                              REG_R8,  REG_R9,  REG_R10, REG_R11, REG_R12, REG_R13, REG_R14, REG_R15};
  for (int i = 0; i < 16; ++i) general[i] = static_cast<uint64_t>(machine.gregs[kOrder[i]]);
  rip = static_cast<uint64_t>(machine.gregs[REG_RIP]);
  xsave_bytes = 0;
  if (!machine.fpregs) return;
  const std::byte* area = reinterpret_cast<const std::byte*>(machine.fpregs);
  SoftwareBytes software;
  std::memcpy(&software, area + kSoftwareOffset, sizeof software);
  size_t bytes = software.magic == kExtendedMagic ? software.xstate_size : kLegacyBytes;
  xsave_bytes = std::min(bytes, xsave.size());
  std::memcpy(xsave.data(), area, xsave_bytes);
}

std::span<const std::byte> Registers::component(unsigned number) const {
  if (xsave_bytes < kLegacyBytes + kHeaderBytes) return {};
  uint64_t in_use;
  std::memcpy(&in_use, xsave.data() + kLegacyBytes, 8);
  unsigned size, offset, c, d;
  if (!(in_use >> number & 1) || !__get_cpuid_count(0xd, number, &size, &offset, &c, &d)) return {};
  if (offset > xsave_bytes || size > xsave_bytes - offset) return {};
  return {xsave.data() + offset, size};
}

std::array<std::byte, 64> Registers::vector(unsigned number) const {
  std::array<std::byte, 64> value{};
  if (number >= 16) {
    auto high = component(kZmm16To31);
    if (!high.empty()) std::memcpy(value.data(), high.data() + (number - 16) * 64, 64);
    return value;
  }
  if (xsave_bytes >= kLegacyBytes) std::memcpy(value.data(), xsave.data() + kXmmOffset + number * 16, 16);
  if (auto ymm = component(kAvx); !ymm.empty()) std::memcpy(value.data() + 16, ymm.data() + number * 16, 16);
  if (auto zmm = component(kZmmHigh); !zmm.empty()) std::memcpy(value.data() + 32, zmm.data() + number * 32, 32);
  return value;
}

uint64_t Registers::mask(unsigned number) const {
  auto masks = component(kOpmask);
  uint64_t value = 0;
  if (!masks.empty()) std::memcpy(&value, masks.data() + number * 8, 8);
  return value;
}

}  // namespace warpwise::exec
