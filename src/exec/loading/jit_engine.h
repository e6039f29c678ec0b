// The engine that runs compiled kernels.
//
//     prepare   memory ─► cache on disk ─► compiler ─► loader      once per kernel and block shape
//     run       LaunchRun ─► BlockScheduler ─► what went wrong
//
// Both wait for the compiler. look_up() does not, and run_from() takes over what was begun meanwhile
// (tiers/tiered_engine.h).
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <tuple>

#include "exec/engine.h"
#include "exec/launch/blocks.h"
#include "exec/loading/code_cache.h"
#include "exec/loading/compilation.h"
#include "exec/loading/compiler_plugin.h"
#include "exec/loading/distinct_pointers.h"
#include "exec/loading/loaded_kernel.h"

namespace warpwise::exec {

class JitEngine : public Engine {
 public:
  // `cache` may be null. The machine must outlive the engine.
  JitEngine(const Machine& machine, CompilerSource compiler, std::shared_ptr<CodeCache> cache);
  ~JitEngine() override;

  device::Status prepare(const KernelLaunch& launch) override;
  device::Status run(const KernelLaunch& launch) override;
  void forget(const KernelImage& image) override;

  // LLVM takes longer than a moment for it, even in the quick tier.
  static bool is_large(const KernelImage& image);
  // Nothing: the code for the launch, which counts nothing, is at hand. Else its compilation, which has begun and is to
  // be looked up again when it is done. Failures: those of prepare().
  Result<std::shared_ptr<Compilation>> look_up(const KernelLaunch& launch);
  // Runs the blocks from `start` on.
  device::Status run_from(const KernelLaunch& launch, const LaunchStart& start);

 private:
  using Key = std::tuple<const KernelImage*, uint32_t, uint32_t, uint32_t, bool, uint32_t, simt::Counting, uint64_t,
                         simt::MayAssume, simt::Tier>;
  // What a version of a kernel is made for, besides the launch.
  struct Wanted {
    simt::Counting count = simt::Counting::None;
    simt::Tier tier = simt::Tier::Optimised;
    simt::MayAssume may_assume{};
  };
  Key key_of(const KernelLaunch& launch, const Wanted& wanted) const;

  struct Version {
    std::unique_ptr<LoadedKernel> kernel;      // null while
    std::shared_ptr<Compilation> compilation;  // it is being compiled; null as well: only the cache was asked
    bool is_in_cache = true;                   // as far as is known
    DistinctAllocations pointers;              // of its last launch
  };
  // The version that counts nothing, and the one that counts; one and the same where there is no second. `asks`: the
  // observer says which blocks count. A launch without a plain version begins with a pilot, and goes on in pieces until
  // it is known whether one is worth compiling, and until it is there (for_rest).
  struct Versions {
    LoadedKernel* plain;
    LoadedKernel* counting;
    bool asks = false;
    uint64_t stop_at = 0;  // where the piece that runs next ends; 0: with the launch
  };
  enum class IfAbsent { Compile, LeaveIt };
  // The version for a launch, loaded or under way; with LeaveIt null where it is neither. What kernels are compiled to
  // assume (simt/launch_assumptions.h) holds for most launches; one for which it does not hold gets a version of its
  // own.
  Result<Version*> version_for(const KernelLaunch& launch, Wanted wanted,
                               IfAbsent if_absent = IfAbsent::Compile);  // mutex_ held
  Result<void> load_or_compile(const KernelLaunch& launch, const Wanted& wanted, Version& version, IfAbsent if_absent);
  // The same in the best tier that is at hand, or the one that will be there first.
  Result<Version*> best_version(const KernelLaunch& launch, simt::Counting count);  // mutex_ held
  Result<Version*> best_version_in_tiers(const KernelLaunch& launch);               // mutex_ held
  // Launches that begin in the quick tier, and go over to the next one once it has shown to be worth it: of large
  // kernels, and of all that are observed so.
  bool runs_in_tiers(const KernelLaunch& launch) const;
  bool is_observed_in_tiers() const;
  // From the first to the last.
  std::span<const simt::Tier> tier_order() const;
  // Behind such code; none behind the last.
  std::optional<simt::Tier> tier_after(const LoadedKernel& kernel) const;
  // How long, in nanoseconds, such code has run when that is worth compiling.
  uint64_t hot(const LoadedKernel& kernel) const;
  // Whether a launch that has begun in this code may go on in other code.
  bool may_change_tier(const KernelLaunch& launch, const LoadedKernel& begun) const;
  // Code of that tier for the rest of such a launch; null: there is none yet.
  LoadedKernel* better_for_rest(const KernelLaunch& launch, const LoadedKernel& begun, simt::Tier tier);
  LoadedKernel* wait_for_better(const KernelLaunch& launch, const LoadedKernel& begun, simt::Tier tier);
  // For tests: the block before which such a launch changes to the tier behind the one of that code.
  uint64_t takeover_place(const KernelLaunch& launch, const LoadedKernel& begun) const;
  device::Status run_piece(const KernelLaunch& launch, Versions& versions, LaunchStart& start);
  Result<LoadedKernel*> wait_for(const KernelLaunch& launch, simt::Counting count);
  Result<Versions> versions(const KernelLaunch& launch);
  bool is_worth_plain_version(const KernelLaunch& launch, const LoadedKernel& counting, uint64_t place) const;
  Result<Versions> for_rest(const KernelLaunch& launch, LoadedKernel& counting, uint64_t place);
  Result<bool> has_plain(const KernelLaunch& launch);
  simt::CompileOptions options_for(const KernelLaunch& launch, const Wanted& wanted) const;
  std::string cache_key(const KernelLaunch& launch, const simt::CompileOptions& options) const;
  // Null: it is not there.
  std::unique_ptr<LoadedKernel> load_from_cache(const KernelLaunch& launch, simt::CompileOptions options) const;

  const Machine& machine_;
  CompilerSource source_;
  std::shared_ptr<CodeCache> cache_;
  BlockScheduler scheduler_;
  CompileThreads compile_threads_;
  std::mutex mutex_;
  std::map<Key, Version> kernels_;  // under mutex_
  device::Address parameters_ = 0;  // in the arena: kernels may take the address of a parameter
};

// The failure that an error of base/diagnostics.inc is to a caller of the device.
device::Status status_of(const Error& error);

}  // namespace warpwise::exec
