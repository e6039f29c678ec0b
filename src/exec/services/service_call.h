// What every service needs: the caller, and a way to end the block with a fault.
#pragma once

#include <string>

#include "exec/launch/block_run.h"

// Kernel code calls a service directly, so the return address identifies the calling instruction.
#define CALLER (reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1)

namespace warpwise::exec {

inline BlockRun& run_of(simt::BlockContext* block) { return *static_cast<BlockRun*>(block->engine); }

inline int64_t thread_of(const BlockRun& run, uint32_t warp, uint32_t lane) {
  return run.running_thread >= 0 ? run.running_thread : int64_t{warp} * simt::kLanes + lane;
}

[[noreturn]] inline void stop(BlockRun& run, device::Failure failure, std::string what, uint32_t warp, uint32_t lane,
                              uint32_t site, uint64_t pc, std::optional<device::Address> address = std::nullopt,
                              Misuse misuse = Misuse::None) {
  KernelFault fault;
  fault.failure = failure;
  fault.misuse = misuse;
  fault.what = std::move(what);
  fault.thread = thread_of(run, warp, lane);
  fault.instruction = site;
  fault.address = address;
  run.fail(std::move(fault), pc);
}

}  // namespace warpwise::exec
