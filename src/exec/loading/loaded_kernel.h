// A compiled kernel, ready to be called: its machine code in executable memory and what is known of it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "base/result.h"
#include "exec/loading/loader.h"
#include "simt/abi.h"
#include "simt/compiler.h"

namespace warpwise::exec {

class LoadedKernel {
 public:
  // Errors: R0401 and R0402 (loader.h), R0404 (made for another version of the ABI).
  static Result<std::unique_ptr<LoadedKernel>> load(simt::CompiledKernel compiled);

  // Everything but the object file, which is dropped once loaded.
  const simt::CompiledKernel& about() const { return about_; }
  const LoadedCode& code() const { return code_; }
  // Threads, or warps, are fibers.
  bool is_independent() const { return about_.mode != simt::Mode::Simt; }
  simt::KernelEntry block_entry() const { return reinterpret_cast<simt::KernelEntry>(entry_); }
  simt::ThreadEntry thread_entry() const { return reinterpret_cast<simt::ThreadEntry>(entry_); }

  // The PTX instruction that the machine code at `pc` belongs to.
  const simt::Site* site_at(uint64_t pc) const;
  // The calls that code stands in (Site::call), from the innermost out.
  std::vector<simt::InlinedCall> calls_around(uint32_t call) const;

  // How long a block took lately: decides whether other host threads are worth waking. 0: not known.
  mutable std::atomic<uint64_t> nanoseconds_per_block{0};
  // Of a kernel that logs sums: launches whose host threads have waited for each other for most of their time, less the
  // others (exec/launch/blocks.cpp).
  mutable std::atomic<int> launches_in_vain{0};
  // How long all its launches took.
  mutable std::atomic<uint64_t> nanoseconds{0};
  // How long it took to compile; 0: it was not, but loaded.
  uint64_t nanoseconds_to_compile = 0;
  simt::Tier tier = simt::Tier::Optimised;
  // Of code that counts: the blocks that it has run and that did not count, and how long one took (0: not known).
  mutable std::atomic<uint64_t> uncounted_blocks{0}, nanoseconds_per_uncounted_block{0};

 private:
  LoadedKernel(simt::CompiledKernel about, LoadedCode code, void* entry)
      : about_(std::move(about)), code_(std::move(code)), entry_(entry) {}

  simt::CompiledKernel about_;
  LoadedCode code_;
  void* entry_;
};

}  // namespace warpwise::exec
