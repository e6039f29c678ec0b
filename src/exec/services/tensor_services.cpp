#include "exec/services/tensor_services.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>

#include "exec/fibers/cluster.h"
#include "exec/observer.h"
#include "exec/services/async_services.h"
#include "exec/services/services.h"
#include "exec/services/shared_windows.h"
#include "numerics/tcgen05_descriptor.h"

namespace warpwise::exec {

using device::Failure;
using simt::TensorColumns;
using simt::TensorOp;
using simt::ThreadContext;

TensorBlock tensor_block(BlockRun& run) {
  const Observer* observer = run.launch.machine.observer;
  if (!run.tensor && observer && (observer->watch() & simt::kWatchInitialisation)) {
    run.tensor = std::make_unique<TensorUnit>();
    run.tensor->memory.watch();
  }
  return {&run.tensor, reinterpret_cast<const std::byte*>(run.context.shared), run.context.total_shared_bytes};
}

void report_uninitialised_reads(BlockRun& run, int64_t thread, uint64_t pc, bool only_if_all) {
  if (!run.tensor) return;
  const numerics::TensorMemory::Reads reads = run.tensor->memory.take_reads();
  if (reads.blank == 0 || (only_if_all && reads.blank < reads.cells)) return;
  run.launch.machine.observer->tensor_memory_mistaken(
      {TensorMemoryMistake::Kind::Unwritten, run, thread, pc, reads.first.lane, reads.first.column});
}

namespace {

// The thread that calls, and a way to end its block.
struct Caller {
  FiberThread& thread;
  BlockRun& run;

  Caller(ThreadContext* context, uint32_t site, uint64_t pc)
      : thread(*static_cast<FiberThread*>(context->fiber)), run(thread.owner->run()) {
    thread.site = site;
    thread.pc = pc;
  }
  [[noreturn]] void fail(std::string what, Failure failure = Failure::LaunchFailure,
                         std::optional<device::Address> address = {}) const {
    stop(run, failure, std::move(what), thread.warp(), thread.lane(), thread.site, thread.pc, address,
         Misuse::TensorMemory);
  }
  void converge() const {
    thread.collective = Collective::TensorMemory;
    thread.mask = ~0u;
    thread.owner->converge(thread);
  }
  // The other block of the pair (PTX ISA 9.7.16.5.1): the ranks differ in their last bit.
  BlockRun& peer() const {
    const uint32_t rank = rank_in_cluster(run), other = rank ^ 1;
    if (other >= run.cluster->size())
      fail(fmt::format("`.cta_group::2` in block {} of a cluster of {}: the other block of its pair is not there", rank,
                       run.cluster->size()));
    return run.cluster->block(other);
  }
  static uint32_t rank_in_cluster(const BlockRun& run) {
    const uint32_t *at = run.context.cluster_ctaid, *size = run.context.cluster_nctaid;
    return at[0] + size[0] * (at[1] + size[1] * at[2]);
  }
};

#define TENSOR_CALLER(context, site) Caller(context, site, reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1)

uint32_t allocate(const Caller& caller, uint32_t blocks, uint32_t columns) {
  const TensorBlock own = tensor_block(caller.run);
  std::optional<TensorBlock> peer;
  if (blocks == 2) peer = tensor_block(caller.peer());
  for (;;) {
    TensorGrant grant = allocate_columns(own, peer ? &*peer : nullptr, columns);
    if (!grant.error.empty()) caller.fail(std::move(grant.error));
    if (grant.address) {
      if (peer) caller.run.cluster->columns_changed();
      return *grant.address;
    }
    caller.thread.b = columns;
    caller.thread.owner->wait_for_columns(caller.thread);
  }
}

void store_address(const Caller& caller, uint64_t destination, uint32_t address) {
  if (!owner_of_shared(caller.run, destination, sizeof address)) {
    caller.fail("tcgen05.alloc stores the address outside shared memory", Failure::IllegalAddress, destination);
  }
  std::memcpy(reinterpret_cast<void*>(destination + simt::kAliasOffset), &address, sizeof address);
  if (Observer* observer = caller.run.launch.machine.observer) observer->written(destination, sizeof address);
}

}  // namespace

// The warp synchronises, one of its threads does the operation, and the others go on when it is done.
void service::tensor_columns(ThreadContext* context, uint32_t what, uint32_t blocks, uint64_t destination,
                             uint32_t address, uint32_t columns, uint32_t site) {
  const Caller caller = TENSOR_CALLER(context, site);
  caller.thread.d_words = nullptr;
  caller.converge();
  if (caller.thread.flag) {
    switch (static_cast<TensorColumns>(what)) {
      case TensorColumns::Allocate:
        store_address(caller, destination, allocate(caller, blocks, columns));
        caller.run.tensor->allocated_by = caller.thread.context.thread;
        caller.run.tensor->allocated_at = caller.thread.pc;
        break;
      case TensorColumns::Release:
        if (std::string problem = release_columns(tensor_block(caller.run), address, columns); !problem.empty())
          caller.fail(std::move(problem));
        caller.run.cluster->columns_changed();
        break;
      case TensorColumns::Relinquish:
        tensor_block(caller.run).get().memory.permit_relinquished = true;
        break;
    }
  }
  caller.converge();
}

void service::tensor_move(ThreadContext* context, uint64_t move, uint32_t address, uint32_t distance, uint32_t* words,
                          uint32_t site) {
  const Caller caller = TENSOR_CALLER(context, site);
  caller.thread.form = move;
  caller.thread.value = address;
  caller.thread.b = distance;
  caller.thread.d_words = words;
  caller.converge();
}

namespace {

void arrive(const Caller& caller, uint64_t mbarrier) {
  uint64_t& word = mbarrier_at(caller.run, mbarrier, caller.thread.warp(), caller.thread.lane(), caller.thread.site,
                               caller.thread.pc, false);
  MbarrierResult result = apply(simt::MbarrierOp::Arrive, word, 1);
  if (!result.error.empty()) caller.fail(std::move(result.error), Failure::LaunchFailure, mbarrier);
  if (Observer* observer = caller.run.launch.machine.observer) observer->written(mbarrier, sizeof word);
  caller.run.cluster->mbarrier_changed();
  if (result.phase_ended) caller.run.cluster->phase_ended(mbarrier);
}

// The mbarrier, or the same place in each block of a mask.
void commit(const Caller& caller, uint64_t mbarrier, uint32_t ranks) {
  if (ranks == 0) return arrive(caller, mbarrier);
  const BlockRun* owner = owner_of_shared(caller.run, mbarrier, sizeof(uint64_t));
  if (!owner) caller.fail("tcgen05.commit to an mbarrier outside shared memory", Failure::IllegalAddress, mbarrier);
  FiberCluster& cluster = *caller.run.cluster;
  for (; ranks != 0; ranks &= ranks - 1) {
    const uint32_t rank = std::countr_zero(ranks);
    if (rank >= cluster.size())
      caller.fail(fmt::format("tcgen05.commit to rank {} of a cluster of {} blocks", rank, cluster.size()));
    arrive(caller, mbarrier - owner->context.shared + cluster.block(rank).context.shared);
  }
}

// Where the launch is counted, the observer gets the operations of a product of that shape, as of a wgmma.
void count_product(BlockRun& run, const uint64_t* words) {
  Observer* observer = run.launch.machine.observer;
  if (!observer || observer->counting() == simt::Counting::None || !run.counts) return;
  numerics::Tcgen05Shape shape;
  const auto form = numerics::Tcgen05Form::unpack(words[0]);
  if (!numerics::read_instruction_descriptor(form, static_cast<uint32_t>(words[2]), shape).empty()) return;
  observer->multiplied(run, shape.a, uint64_t{2} * shape.m * shape.n * shape.k);
}

}  // namespace

void service::tensor_op(ThreadContext* context, uint32_t what, const uint64_t* words, uint32_t site) {
  const Caller caller = TENSOR_CALLER(context, site);
  const auto op = static_cast<TensorOp>(what);
  caller.thread.owner->note_progress();
  if (op == TensorOp::Commit) return commit(caller, words[0], static_cast<uint32_t>(words[1]));
  TensorBlock blocks[2] = {tensor_block(caller.run), {}};
  size_t count = 1;
  if (blocks_of(op, words) == 2) {
    blocks[1] = tensor_block(caller.peer());
    if (Caller::rank_in_cluster(caller.run) % 2 == 1) std::swap(blocks[0], blocks[1]);
    count = 2;
  }
  std::string problem = run_tensor_op(caller.run.launch.machine, op, words, {blocks, count}, false);
  if (!problem.empty()) caller.fail(std::move(problem));
  if (op == TensorOp::Multiply) count_product(caller.run, words);
  if (caller.run.launch.machine.observer && op == TensorOp::Multiply) {
    report_uninitialised_reads(caller.run, caller.thread.context.thread, caller.thread.pc, false);
    if (count == 2) report_uninitialised_reads(caller.peer(), caller.thread.context.thread, caller.thread.pc, false);
  }
}

}  // namespace warpwise::exec
