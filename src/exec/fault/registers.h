// The registers of a thread at a fault, copied out of the signal's context, so that they can be examined outside the
// signal handler.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace warpwise::exec {

struct Registers {
  // In the order of x86's encoding: rax rcx rdx rbx rsp rbp rsi rdi r8 ... r15.
  std::array<uint64_t, 16> general{};
  uint64_t rip = 0;
  // The XSAVE area as the kernel lays it out on the signal frame (Intel SDM volume 1, 13.4: standard
  // format); AVX-512 state ends below 2,752 bytes.
  alignas(64) std::array<std::byte, 2752> xsave{};
  size_t xsave_bytes = 0;

  // `context`: the ucontext_t* of a signal handler. Async-signal-safe.
  void capture(const void* context);

  // All 64 bytes of a vector register (0..31); what the host does not have is zero.
  std::array<std::byte, 64> vector(unsigned number) const;
  uint64_t mask(unsigned number) const;  // k0..k7

 private:
  // The saved state of a component, empty when it is in its initial (zero) state.
  std::span<const std::byte> component(unsigned number) const;
};

}  // namespace warpwise::exec
