// The services of independent-warp mode: as those of threads (thread_services.cpp), for the warp that runs.
#include <bit>

#include "exec/fibers/cluster.h"
#include "exec/services/async_services.h"
#include "exec/services/services.h"

namespace warpwise::exec {

using simt::BlockContext;

namespace {

// `pc`: the instruction that calls.
FiberThread& running_warp(BlockContext* block, uint32_t site, uint64_t pc) {
  FiberThread& warp = *run_of(block).running;
  warp.site = site;
  warp.pc = pc;
  return warp;
}

}  // namespace

void service::warp_barrier_sync(BlockContext* block, uint32_t id, uint32_t threads, uint32_t site) {
  FiberThread& warp = running_warp(block, site, CALLER);
  warp.predicates = warp.voters = 0;
  warp.owner->wait_at_barrier(warp, id, threads);
}

void service::warp_barrier_arrive(BlockContext* block, uint32_t id, uint32_t threads, uint32_t site) {
  FiberThread& warp = running_warp(block, site, CALLER);
  warp.owner->arrive_at_barrier(warp, id, threads);
}

uint32_t service::warp_barrier_red(BlockContext* block, uint32_t lanes, uint32_t id, uint32_t threads, uint32_t op,
                                   uint32_t predicates, uint32_t site) {
  FiberThread& warp = running_warp(block, site, CALLER);
  warp.barrier_op = op;
  warp.predicates = uint32_t(std::popcount(predicates));
  warp.voters = uint32_t(std::popcount(lanes));
  warp.owner->wait_at_barrier(warp, id, threads);
  return warp.barrier_result;
}

void service::warp_cluster_arrive(BlockContext* block, uint32_t site) {
  FiberThread& warp = running_warp(block, site, CALLER);
  warp.owner->note_progress();
  warp.owner->run().cluster->arrive(warp);
}

void service::warp_cluster_wait(BlockContext* block, uint32_t site) {
  FiberThread& warp = running_warp(block, site, CALLER);
  warp.owner->note_progress();
  warp.owner->run().cluster->wait(warp);
}

uint32_t service::warp_mbarrier_wait(BlockContext* block, uint32_t lane, uint64_t address, uint64_t phase,
                                     uint32_t is_parity, uint32_t site) {
  FiberThread& warp = running_warp(block, site, CALLER);
  return wait_at_mbarrier(warp, lane, address, phase, is_parity != 0);
}

void service::warp_yield(BlockContext* block, uint32_t site) {
  FiberThread& warp = running_warp(block, site, CALLER);
  warp.owner->yield(warp);
}

}  // namespace warpwise::exec
