// The engine that runs compiled kernels.
//
//     prepare   memory ─► cache on disk ─► compiler ─► loader      once per kernel and block shape
//     run       LaunchRun ─► BlockScheduler ─► what went wrong
#pragma once

#include <map>
#include <memory>
#include <mutex>
#include <tuple>

#include "exec/engine.h"
#include "exec/launch/blocks.h"
#include "exec/loading/code_cache.h"
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

 private:
  using Key = std::tuple<const KernelImage*, uint32_t, uint32_t, uint32_t, bool, uint32_t, simt::Counting, uint64_t,
                         simt::MayAssume>;
  Key key_of(const KernelLaunch& launch, simt::Counting count, const simt::MayAssume& may_assume) const;

  struct Version {
    std::unique_ptr<LoadedKernel> kernel;
    DistinctPointers pointers;  // of its last launch
  };
  // The version for a launch. What kernels are compiled to assume (simt/launch_assumptions.h) holds for most launches;
  // one for which it does not hold gets a version of its own.
  Result<LoadedKernel*> find_or_make(const KernelLaunch& launch, simt::Counting count);
  Result<Version*> find_or_make(const KernelLaunch& launch, simt::Counting count, const simt::MayAssume& may_assume);
  // The version that counts nothing, and the one that counts; one and the same where there is no second.
  struct Versions {
    LoadedKernel* plain;
    LoadedKernel* counting;
  };
  Result<Versions> versions(const KernelLaunch& launch);
  Result<std::unique_ptr<LoadedKernel>> make(const KernelLaunch& launch, simt::Counting count,
                                             const simt::MayAssume& may_assume);
  Result<simt::CompiledKernel> compile(const KernelLaunch& launch, const simt::CompileOptions& options);

  const Machine& machine_;
  CompilerSource source_;
  std::shared_ptr<CodeCache> cache_;
  BlockScheduler scheduler_;
  std::mutex mutex_;
  simt::Compiler* compiler_ = nullptr;
  std::map<Key, Version> kernels_;
  device::Address parameters_ = 0;  // in the arena: kernels may take the address of a parameter
};

// The failure that an error of base/diagnostics.inc is to a caller of the device.
device::Status status_of(const Error& error);

}  // namespace warpwise::exec
