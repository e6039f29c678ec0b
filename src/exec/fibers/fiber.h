// Fibers: a stack and a place to continue, for the threads of independent-thread mode and the warps of independent-warp
// mode (Boost.Context does the switch).
//
// A fiber always switches back to the host thread that resumed it, never to another fiber, so that the
// scheduler is an ordinary loop. A fiber that is not resumed any more is simply dropped: kernel code owns nothing that
// must be destroyed. Where AddressSanitizer is built in, each switch is announced to it.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"

namespace warpwise::exec {

struct Stack {
  std::byte* bottom = nullptr;  // the lowest address
  size_t bytes = 0;
};

// Stacks of one size, in one mapping, each with an unmapped page below (what is too deep faults instead of
// writing into its neighbour).
class StackPool {
 public:
  // Without recursion. A warpgroup's product takes the most: 72 KB where its code is for AVX-512.
  static constexpr size_t kStackBytes = size_t{96} << 10;

  StackPool() = default;
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // Makes sure that `count` stacks of at least `bytes`, a multiple of the page size, exist. Not while fibers are alive
  // on them. Error R0403.
  Result<void> reserve(size_t count, size_t bytes = kStackBytes);
  Stack stack(size_t index) const { return {base_ + (index + 1) * stride_ - bytes_, bytes_}; }
  // Whether stacks made from now on have guard pages.
  void set_guarded(bool guarded) { guarded_ = guarded; }
  size_t size() const { return count_; }

 private:
  void release();

  std::byte* base_ = nullptr;
  size_t count_ = 0, bytes_ = 0, stride_ = 0;
  bool guarded_ = true;
};

class Fiber {
 public:
  using Entry = void (*)(void* argument);

  // Prepares a run of entry(argument) on `stack`.
  void start(Stack stack, Entry entry, void* argument);
  // Runs until the fiber suspends itself or its entry returns. False when it has returned.
  bool resume();
  // From inside the fiber: back to the code that resumed it.
  void suspend();
  // From outside, after a jump out of the fiber (siglongjmp) that ended it while it ran.
  void left();

 private:
  static void trampoline(boost::context::detail::transfer_t from);

  boost::context::detail::fcontext_t own_ = nullptr;      // where to continue
  boost::context::detail::fcontext_t resumer_ = nullptr;  // while it runs: where to go back
  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  bool done_ = false;
  Stack stack_, resumer_stack_;  // the latter for AddressSanitizer alone
};

}  // namespace warpwise::exec
