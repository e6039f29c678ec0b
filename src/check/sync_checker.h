// Threads that do not meet as they must: C04.. of base/rules.inc.
//
// What ends a kernel (a deadlock, a mask without its caller) the engine tells. Barriers that differ it does not mind:
// here each thread's n-th __syncthreads() must be at the line where the others' n-th is.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/finding.h"
#include "exec/block_run.h"
#include "exec/observer.h"

namespace warpwise::check {

class SyncChecker : public exec::Observer {
 public:
  explicit SyncChecker(FindingSink& sink) : sink_(sink) {}

  uint32_t watch() const override;
  void block_begins(exec::BlockRun& run) override;
  void noticed(const exec::NoticedAccess& access) override;
  void faulted(const exec::KernelLaunch& launch, const exec::KernelFault& fault) override;

 private:
  struct Arrival {
    const simt::Site* site = nullptr;
    uint32_t thread = 0;
  };
  struct Block {
    uint64_t index = 0;
    std::vector<uint32_t> meetings;  // by thread (a warp of converged mode by its first): how many it has reached
    std::vector<Arrival> first;      // by meeting: who came first
  };

  FindingSink& sink_;
  std::mutex mutex_;
  std::map<const exec::BlockRun*, Block> blocks_;
  std::map<std::pair<std::string, std::string>, FindingSink::Cause> reported_;  // pairs of places
};

}  // namespace warpwise::check
