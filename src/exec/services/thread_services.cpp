// The services of independent-thread mode: thin wrappers of FiberBlock. Each records the calling thread and
// instruction, waits, and returns the result of the convergent operation.
#include <fmt/format.h>

#include "exec/fibers/cluster.h"
#include "exec/services/async_services.h"
#include "exec/services/services.h"
#include "numerics/product.h"

namespace warpwise::exec {

using simt::BlockContext;
using simt::ThreadContext;

namespace {

FiberThread& enter(ThreadContext* context, uint32_t site, uint64_t pc) {
  FiberThread& thread = *static_cast<FiberThread*>(context->fiber);
  thread.site = site;
  thread.pc = pc;
  return thread;
}

#define ENTER(context, site) enter(context, site, reinterpret_cast<uint64_t>(__builtin_return_address(0)) - 1)

void converge(FiberThread& thread, Collective collective, uint32_t mask) {
  thread.collective = collective;
  thread.mask = mask;
  thread.owner->converge(thread);
}

}  // namespace

void service::barrier_sync(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.predicates = 0;
  thread.owner->wait_at_barrier(thread, id, threads);
}

void service::barrier_arrive(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.owner->arrive_at_barrier(thread, id, threads);
}

uint32_t service::barrier_red(ThreadContext* context, uint32_t id, uint32_t threads, uint32_t op, uint32_t predicate,
                              uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.barrier_op = op;
  thread.predicates = predicate != 0;
  thread.owner->wait_at_barrier(thread, id, threads);
  return thread.barrier_result;
}

void service::warp_sync(ThreadContext* context, uint32_t mask, uint32_t site) {
  converge(ENTER(context, site), Collective::Sync, mask);
}

uint32_t service::shfl(ThreadContext* context, uint32_t mode, uint32_t value, uint32_t b, uint32_t c, uint32_t mask,
                       uint32_t* second, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.op = mode;
  thread.value = value;
  thread.b = b;
  thread.c = c;
  converge(thread, Collective::Shuffle, mask);
  if (second) *second = thread.flag;
  return thread.result;
}

uint32_t service::ballot(ThreadContext* context, uint32_t predicate, uint32_t mask, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.value = predicate;
  converge(thread, Collective::Vote, mask);
  return thread.result;
}

uint32_t service::match(ThreadContext* context, uint64_t value, uint32_t mask, uint32_t* second, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.value = value;
  converge(thread, Collective::Match, mask);
  if (second) *second = thread.flag;
  return thread.result;
}

uint32_t service::redux(ThreadContext* context, uint32_t op, uint32_t value, uint32_t mask, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.op = op;
  thread.value = value;
  converge(thread, Collective::Reduce, mask);
  return thread.result;
}

uint32_t service::activemask(ThreadContext* context, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  converge(thread, Collective::ActiveMask, 0);
  return thread.result;
}

uint32_t service::elect(ThreadContext* context, uint32_t mask, uint32_t* second, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  converge(thread, Collective::Elect, mask);
  if (second) *second = thread.flag;
  return thread.result;
}

void service::gather(ThreadContext* context, const uint32_t* words, uint32_t count, uint32_t* out, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.op = count;
  thread.words = words;
  thread.table = out;
  converge(thread, Collective::Gather, ~0u);
}

void service::multiply_sync(ThreadContext* context, uint64_t product, const uint32_t* inputs, uint32_t* outputs,
                            uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.op = numerics::Product::unpack(product).input_words();
  thread.product = product;
  thread.words = inputs;
  thread.table = outputs;
  converge(thread, Collective::Multiply, ~0u);
}

// Sleeping only lets others run: there is no reason to wait in real time.
void service::nanosleep(ThreadContext* context, uint32_t, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.owner->yield(thread);
}

// A thread that sleeps here waits for the end of the phase that is under way. A thread that this end wakes has its
// answer even when another thread was faster and has changed the mbarrier since: hardware answers all waiting threads
// at once.
bool wait_at_mbarrier(FiberThread& thread, uint32_t lane, uint64_t address, uint64_t phase, bool is_parity) {
  BlockRun& run = thread.owner->run();
  const uint64_t& word = mbarrier_at(run, address, thread.warp(), lane, thread.site, thread.pc);
  if (has_ended(word, phase, is_parity)) return true;
  thread.phase_is_over = false;
  thread.owner->sleep_at_mbarrier(thread, address);
  return thread.phase_is_over || (Mbarrier::is_one(word) && has_ended(word, phase, is_parity));
}

uint32_t service::mbarrier_wait(ThreadContext* context, uint32_t, uint64_t address, uint64_t phase, uint32_t is_parity,
                                uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  return wait_at_mbarrier(thread, thread.lane(), address, phase, is_parity != 0);
}

void service::wgmma_sync(ThreadContext* context, uint64_t form, uint64_t a, uint64_t b, uint32_t accumulate,
                         const uint32_t* a_words, uint32_t* d, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.form = form;
  thread.value = a;
  thread.descriptor_b = b;
  thread.op = accumulate;
  thread.a_words = a_words;
  thread.d_words = d;
  converge(thread, Collective::Wgmma, ~0u);
}

uint32_t service::cluster_rank_bits(BlockContext* block, uint32_t warp, uint32_t lane, uint32_t rank, uint32_t site) {
  BlockRun& run = run_of(block);
  if (rank >= run.cluster->size()) {
    stop(run, device::Failure::LaunchFailure,
         fmt::format("rank {} in a cluster of {} blocks", rank, run.cluster->size()), warp, lane, site, CALLER);
  }
  return (rank + 1) << simt::kClusterRankBit;
}

void service::cluster_arrive(ThreadContext* context, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.owner->note_progress();
  thread.owner->run().cluster->arrive(thread);
}

void service::cluster_wait(ThreadContext* context, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.owner->note_progress();
  thread.owner->run().cluster->wait(thread);
}

void service::yield(ThreadContext* context, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.owner->yield(thread);
}

void service::lane_order(ThreadContext* context, uint32_t at_once, uint32_t site) {
  FiberThread& thread = ENTER(context, site);
  thread.at_once = at_once;
  thread.owner->wait_for_lanes(thread);
}

}  // namespace warpwise::exec
