// The engine of a program: a kernel that has to be compiled begins in the interpreter, and compiled code takes over.
//
//     launch ─► at hand? ──yes──────────────────────────────► compiled code
//                 │ no
//                 ├─ may not begin interpreted ─► wait ──────► compiled code
//                 │
//                 └─ blocks 0, 1, 2 … in the interpreter       beside it the compiler
//                       │ block k is undone when it is done
//                       └────────────────────────────────────► compiled code from block k on
//
// Most kernels are compiled within a moment, for which a launch waits (kMoment), except that of a large kernel. What is
// interpreted runs on the calling thread, block after block, so compiled code finds a prefix of the grid done. The
// block that the compiler's end interrupts is undone, and compiled code runs it from its beginning: interpreted code is
// some hundred times slower, and one long block would cost more than the compiler.
//
// A mistake of the kernel is not reported from here: its block is undone, and compiled code makes the mistake again, so
// that reports do not depend on the tier. A kernel that cannot be compiled stays in the interpreter, with a message.
//
// docs/internals/tiers.md has the invariants.
#pragma once

#include <map>
#include <mutex>
#include <set>

#include "exec/loading/jit_engine.h"

namespace warpwise::exec {

class TieredEngine : public Engine {
 public:
  // As a JitEngine is made.
  TieredEngine(const Machine& machine, CompilerSource compiler, std::shared_ptr<CodeCache> cache);

  device::Status prepare(const KernelLaunch& launch) override;
  device::Status run(const KernelLaunch& launch) override;
  void forget(const KernelImage& image) override;

 private:
  bool may_begin_interpreted(const KernelLaunch& launch);
  device::Status run_interpreted(const KernelLaunch& launch);
  device::Status run_half_interpreted(const KernelLaunch& launch);
  device::Status ended(const KernelLaunch& launch, uint64_t block) const;
  bool stays_interpreted(const KernelLaunch& launch);
  // After an error of the compiler: success, if the kernel is right and is to be interpreted from now on.
  device::Status keep_interpreted(const KernelLaunch& launch, const Error& why);
  struct Interpreted {
    uint64_t next;  // the block to go on with
    bool failed;    // in the interpreter it makes a mistake
  };
  Interpreted interpret_blocks(const KernelLaunch& launch, LaunchStart from, uint64_t end,
                               const std::function<bool()>& must_leave);

  const Machine& machine_;
  JitEngine jit_;
  std::mutex mutex_;
  std::map<const KernelImage*, bool> may_begin_;  // may_begin_interpreted() of kernels; under mutex_
  std::set<const KernelImage*> interpreted_;      // those that cannot be compiled; under mutex_
};

}  // namespace warpwise::exec
