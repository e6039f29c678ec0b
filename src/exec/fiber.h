// Fibers: a stack and a place to continue, for the threads of split mode (Boost.Context does the switch).
//
// A fiber always switches back to the host thread that resumed it, never to another fiber, so that the
// scheduler is an ordinary loop. A fiber that is not resumed any more is simply dropped: kernel code owns
// nothing that must be destroyed.
#pragma once

#include <boost/context/detail/fcontext.hpp>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/result.h"

namespace warpwise::exec {

// Stacks of one size, in one mapping, each with an unmapped page below (a recursion that is too deep
// faults instead of writing into its neighbour).
class StackPool {
 public:
  static constexpr size_t kStackBytes = size_t{64} << 10;

  StackPool() = default;
  ~StackPool();
  StackPool(const StackPool&) = delete;
  StackPool& operator=(const StackPool&) = delete;

  // Makes sure that `count` stacks exist. Not while fibers are alive on them. Error R0403.
  Result<void> reserve(size_t count);
  std::byte* top(size_t index) const { return base_ + (index + 1) * stride_; }
  // Whether stacks made from now on have guard pages.
  void set_guarded(bool guarded) { guarded_ = guarded; }
  size_t size() const { return count_; }

 private:
  std::byte* base_ = nullptr;
  size_t count_ = 0, stride_ = 0;
  bool guarded_ = true;
};

class Fiber {
 public:
  using Entry = void (*)(void* argument);

  // Prepares a run of entry(argument) on the stack that ends at `stack_top`.
  void start(std::byte* stack_top, Entry entry, void* argument);
  // Runs until the fiber suspends itself or its entry returns. False when it has returned.
  bool resume();
  // From inside the fiber: back to whoever resumed it.
  void suspend();

 private:
  static void trampoline(boost::context::detail::transfer_t from);

  boost::context::detail::fcontext_t own_ = nullptr;     // where to continue
  boost::context::detail::fcontext_t resumer_ = nullptr;  // while it runs: where to go back
  Entry entry_ = nullptr;
  void* argument_ = nullptr;
  bool done_ = false;
};

}  // namespace warpwise::exec
