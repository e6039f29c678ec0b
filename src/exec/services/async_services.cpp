// The services of mbarriers, of bulk copies and all else that completes on an mbarrier, and of addresses in a cluster.
#include "exec/services/async_services.h"

#include <fmt/format.h>

#include <bit>
#include <cstring>
#include <vector>

#include "exec/async/bulk.h"
#include "exec/fibers/cluster.h"
#include "exec/observer.h"
#include "exec/services/services.h"
#include "exec/services/shared_windows.h"
#include "numerics/wgmma_fast.h"

namespace warpwise::exec {

using device::Failure;
using simt::BlockContext;

uint64_t& mbarrier_at(BlockRun& run, uint64_t address, uint32_t warp, uint32_t lane, uint32_t site, uint64_t pc,
                      bool must_be) {
  if (address % sizeof(uint64_t) != 0)
    stop(run, Failure::MisalignedAddress, "an mbarrier that is not aligned to 8 bytes", warp, lane, site, pc, address);
  if (!owner_of_shared(run, address, sizeof(uint64_t)))
    stop(run, Failure::IllegalAddress, "an mbarrier outside shared memory", warp, lane, site, pc, address);
  uint64_t& word = *reinterpret_cast<uint64_t*>(address + simt::kAliasOffset);
  if (must_be && !Mbarrier::is_one(word))
    stop(run, Failure::LaunchFailure,
         "a wait where there is no mbarrier: mbarrier.init has not run, or the object was invalidated or overwritten",
         warp, lane, site, pc, address, Misuse::Mbarrier);
  return word;
}

std::string run_wgmma(const BlockRun& run, const WgmmaCall& call) {
  const device::Properties& properties = *run.launch.machine.properties;
  const numerics::WgmmaOperands operands{reinterpret_cast<const std::byte*>(run.context.shared),
                                         run.context.total_shared_bytes,
                                         call.warp % 4,
                                         call.a,
                                         call.b,
                                         call.accumulate,
                                         call.a_words,
                                         call.d};
  const auto fidelity =
      run.launch.machine.options.approximate_mma ? numerics::Fidelity::Quick : numerics::Fidelity::Exact;
  return multiply_warpgroup_fast(properties.major * 10 + properties.minor, fidelity,
                                 numerics::WgmmaForm::unpack(call.form), operands);
}

uint64_t service::mbarrier(BlockContext* block, uint32_t warp, uint32_t lane, uint32_t op, uint64_t address,
                           uint32_t count, uint32_t site) {
  BlockRun& run = run_of(block);
  uint64_t& word = mbarrier_at(run, address, warp, lane, site, CALLER, false);
  MbarrierResult result = apply(static_cast<simt::MbarrierOp>(op), word, count);
  if (Observer* observer = run.launch.machine.observer) observer->written(address, sizeof word);
  if (!result.error.empty())
    stop(run, Failure::LaunchFailure, std::move(result.error), warp, lane, site, CALLER, address, Misuse::Mbarrier);
  if (run.cluster) run.cluster->mbarrier_changed();
  if (result.phase_ended && run.cluster) run.cluster->phase_ended(address);
  return result.state;
}

uint32_t service::mbarrier_test(BlockContext* block, uint32_t warp, uint32_t lane, uint64_t address, uint64_t phase,
                                uint32_t is_parity, uint32_t site) {
  return has_ended(mbarrier_at(run_of(block), address, warp, lane, site, CALLER), phase, is_parity != 0);
}

uint64_t service::cluster_to_generic(BlockContext* block, uint64_t address, uint32_t site) {
  BlockRun& run = run_of(block);
  auto generic = exec::cluster_to_generic(run, address);
  if (!generic) {
    KernelFault fault;
    fault.failure = Failure::IllegalAddress;
    fault.what = fmt::format("{:#x} is an address in a block that the cluster does not have", address);
    fault.warp = run.running_warp();
    fault.instruction = site;
    run.fail(std::move(fault), CALLER);
  }
  return *generic;
}

uint64_t service::generic_to_cluster(BlockContext* block, uint64_t address, uint32_t) {
  BlockRun& run = run_of(block);
  // As cvta does elsewhere: there is no window and no check. A wrong address faults at the access.
  return exec::generic_to_cluster(run, address).value_or(address - (run.context.shared - simt::kAliasOffset));
}

uint32_t service::rank_of_address(BlockContext* block, uint64_t address) {
  BlockRun& run = run_of(block);
  const BlockRun* owner = owner_of_shared(run, address, 0);
  if (!owner) return ~0u;
  const uint32_t *at = owner->context.cluster_ctaid, *size = owner->context.cluster_nctaid;
  return at[0] + size[0] * (at[1] + size[1] * at[2]);
}

// --- bulk copies ------------------------------------------------------------------------------------------

namespace {

// A service's caller, for faults.
struct Call {
  BlockRun& run;
  uint32_t warp, lane, site;
  uint64_t pc;

  [[noreturn]] void fail(BulkFault fault) const {
    stop(run, fault.failure, std::move(fault.what), warp, lane, site, pc, fault.address);
  }
  void check(std::optional<BulkFault> fault) const {
    if (fault) fail(std::move(*fault));
  }
  void complete(uint64_t mbarrier, uint32_t bytes) const {
    uint64_t& word = mbarrier_at(run, mbarrier, warp, lane, site, pc, false);
    MbarrierResult result = apply(simt::MbarrierOp::CompleteTx, word, bytes);
    if (!result.error.empty())
      stop(run, Failure::LaunchFailure, std::move(result.error), warp, lane, site, pc, mbarrier, Misuse::Mbarrier);
    if (result.phase_ended && run.cluster) run.cluster->phase_ended(mbarrier);
  }
  // Copies into this block's own shared memory: other blocks of a cluster have their own order.
  void report_load(uint64_t to, size_t bytes, uint64_t mbarrier) const {
    Observer* observer = run.launch.machine.observer;
    if (!observer || mbarrier == 0 || owner_of_shared(run, to, bytes) != &run ||
        owner_of_shared(run, mbarrier, sizeof(uint64_t)) != &run)
      return;
    const uint32_t thread = run.running_thread >= 0 ? uint32_t(run.running_thread) : warp * simt::kLanes + lane;
    observer->bulk_copy_begins({run, thread, pc, to, bytes, mbarrier});
  }
  // Copies out of this block's own shared memory, which complete on no mbarrier.
  void report_store(uint64_t from, size_t bytes) const {
    Observer* observer = run.launch.machine.observer;
    if (!observer || owner_of_shared(run, from, bytes) != &run) return;
    const uint32_t thread = run.running_thread >= 0 ? uint32_t(run.running_thread) : warp * simt::kLanes + lane;
    observer->bulk_copy_begins({run, thread, pc, from, bytes});
  }
  uint32_t rank_in_cluster(uint64_t address, const char* outside) const {
    const uint32_t rank = service::rank_of_address(&run.context, address);
    if (rank == ~0u) fail({Failure::IllegalAddress, outside, address});
    return rank;
  }
  // Calls body(to, mbarrier) for the places that a copy goes to: its own, or the same in each block of a mask.
  template <class F>
  void for_each_target(uint32_t what, uint32_t blocks, uint64_t to, uint64_t mbarrier, F body) const {
    if (!(what & simt::kBulkMulticast)) return body(to, mbarrier);
    const uint32_t from = rank_in_cluster(to, "a multicast copy to an address outside shared memory");
    const uint32_t completing = rank_in_cluster(mbarrier, "a multicast copy with an mbarrier outside shared memory");
    auto place = [&](uint64_t address, uint32_t own, uint32_t rank) {
      if (rank >= run.cluster->size()) {
        fail({Failure::LaunchFailure,
              fmt::format("a multicast copy to rank {} of a cluster of {} blocks", rank, run.cluster->size()), to});
      }
      return address - run.cluster->block(own).context.shared + run.cluster->block(rank).context.shared;
    };
    for (uint32_t rank = 0; rank < kMostBlocksOfMask; ++rank) {
      if (blocks >> rank & 1)
        body(place(to, from, rank),
             place(mbarrier, completing, completing_rank(what & simt::kBulkPairs, rank, completing)));
    }
  }
};

// Where the launch is counted, the observer gets what a copy reads or writes in global memory. Copies between shared
// memories do neither.
bool counts_bulk(const BlockRun& run) {
  const Observer* observer = run.launch.machine.observer;
  return observer && observer->counting() != simt::Counting::None && run.counts;
}
unsigned targets_of(uint32_t what, uint32_t blocks) {
  return what & simt::kBulkMulticast ? unsigned(std::popcount(blocks)) : 1;
}
void count_bulk(BlockRun& run, uint64_t to, uint64_t from, uint32_t bytes, simt::BulkOp op, unsigned targets) {
  if (!counts_bulk(run)) return;
  const bool from_shared = owner_of_shared(run, from, 0) != nullptr, to_shared = owner_of_shared(run, to, 0) != nullptr;
  if (from_shared == to_shared) return;
  const BulkTraffic::Row row{to_shared ? from : to, bytes};
  const auto kind = to_shared                  ? BulkTraffic::Kind::Load
                    : op == simt::BulkOp::Copy ? BulkTraffic::Kind::Store
                                               : BulkTraffic::Kind::Reduce;
  run.launch.machine.observer->bulk_copied(run, {kind, {&row, 1}, targets});
}
void count_box(BlockRun& run, const TensorCopy& copy, unsigned targets) {
  if (!counts_bulk(run)) return;
  std::vector<BulkTraffic::Row> rows;
  for_each_row(copy, [&](device::Address address, size_t bytes) { rows.push_back({address, bytes}); });
  const auto kind = !copy.store                     ? BulkTraffic::Kind::Load
                    : copy.op == simt::BulkOp::Copy ? BulkTraffic::Kind::Store
                                                    : BulkTraffic::Kind::Reduce;
  run.launch.machine.observer->bulk_copied(run, {kind, rows, targets});
}

}  // namespace

void service::bulk_copy(BlockContext* block, uint32_t warp, uint32_t lane, uint32_t what, uint64_t to, uint64_t from,
                        uint32_t bytes, uint64_t mbarrier, uint32_t blocks, uint32_t site) {
  const Call call{run_of(block), warp, lane, site, CALLER};
  const auto op = static_cast<simt::BulkOp>(what & 0xff);
  const auto type = static_cast<simt::BulkType>(what >> 8 & 0xff);
  const uint16_t mask = what & simt::kBulkMasked ? static_cast<uint16_t>(blocks) : kAllBytes;
  auto for_each_copied_piece = [&](auto visit) {
    if (mask == kAllBytes)
      visit(0u, bytes);
    else
      for_each_masked_piece(bytes, mask, visit);
  };
  call.for_each_target(what, blocks, to, mbarrier, [&](uint64_t target, uint64_t completes_on) {
    call.check(copy_bulk(*call.run.launch.machine.arena, op, type, target, from, bytes, mask));
    if (Observer* observer = call.run.launch.machine.observer; observer && op == simt::BulkOp::Copy)
      for_each_copied_piece(
          [&](uint32_t first, uint32_t count) { observer->copies(target + first, from + first, count); });
    call.report_load(target, bytes, completes_on);
    if (completes_on)
      call.complete(completes_on, bytes);
    else
      call.report_store(from, bytes);
  });
  count_bulk(call.run, to, from, bytes, op, targets_of(what, blocks));
}

void service::tensor_copy(BlockContext* block, uint32_t warp, uint32_t lane, uint32_t what, uint64_t map,
                          uint64_t shared, uint32_t c0, uint32_t c1, uint32_t c2, uint32_t c3, uint32_t c4,
                          uint64_t offsets, uint64_t mbarrier, uint32_t blocks, uint32_t site) {
  const Call call{run_of(block), warp, lane, site, CALLER};
  const Arena& arena = *call.run.launch.machine.arena;
  TensorCopy copy;
  const unsigned coordinates = what >> simt::kBulkRankAt;
  const bool four_rows = (what & simt::kBulkFourRows) != 0;
  const auto mode = static_cast<device::TensorMode>(what >> simt::kBulkModeAt & simt::kBulkModeMask);
  call.check(read_tensor_map(arena, map, four_rows ? 2 : coordinates, mode, copy.map));
  const int32_t start[] = {int32_t(c0), int32_t(c1), int32_t(c2), int32_t(c3), int32_t(c4)};
  call.check(set_coordinates(copy, four_rows, start, coordinates));
  call.check(set_offsets(copy, {uint16_t(offsets), uint16_t(offsets >> 16), uint16_t(offsets >> 32)}));
  copy.store = (what & simt::kBulkStore) != 0;
  copy.op = static_cast<simt::BulkOp>(what & 0xff);
  call.for_each_target(what, blocks, shared, mbarrier, [&](uint64_t target, uint64_t completes_on) {
    const BlockRun* owner = owner_of_shared(call.run, target, box_extent(copy));
    if (!owner) call.fail({Failure::IllegalAddress, "a box that does not fit in shared memory", target});
    call.check(
        copy_tensor(arena, copy, target, static_cast<uint32_t>(target - (owner->context.shared - simt::kAliasOffset))));
    if (Observer* observer = call.run.launch.machine.observer) {
      // Finding the box's bytes in the tensor takes as long as copying them: the whole tensor counts as written.
      const device::TensorMap& map = copy.map;
      if (!copy.store)
        observer->written(target, box_extent(copy));
      else
        observer->written(map.address, map.rank == 1 ? map.size(0) * bytes_of(map.type)
                                                     : map.strides[map.rank - 2] * map.size(map.rank - 1));
    }
    if (copy.store)
      call.report_store(target, box_extent(copy));
    else
      call.report_load(target, box_extent(copy), completes_on);
    if (completes_on) call.complete(completes_on, box_bytes(copy));
  });
  count_box(call.run, copy, targets_of(what, blocks));
}

// The answer is the same for all threads of a cluster.
void service::cluster_try_cancel(BlockContext* block, uint32_t warp, uint32_t lane, uint64_t to, uint64_t mbarrier,
                                 uint32_t everywhere, uint32_t site) {
  const Call call{run_of(block), warp, lane, site, CALLER};
  if (!owner_of_shared(call.run, to, simt::kCancelBytes))
    call.fail({Failure::IllegalAddress, "clusterlaunchcontrol.try_cancel to an address outside shared memory", to});
  if (to % simt::kCancelBytes != 0)
    call.fail({Failure::MisalignedAddress,
               "clusterlaunchcontrol.try_cancel to an address that is not aligned to 16 bytes", to});
  LaunchRun& launch = call.run.launch;
  const uint32_t size = call.run.cluster->size();
  uint32_t answer[simt::kCancelWords] = {};
  if (auto taken = launch.slots.next_of(call.run.place / size)) {
    const device::Dim3 first = launch.launch.block_at(launch.block_at(*taken * size));
    answer[0] = first.x, answer[1] = first.y, answer[2] = first.z, answer[simt::kCanceledWord] = 1;
  }
  call.run.running->owner->note_progress();
  call.for_each_target(everywhere ? simt::kBulkMulticast : 0, (1u << size) - 1, to, mbarrier,
                       [&](uint64_t target, uint64_t completes_on) {
                         std::memcpy(reinterpret_cast<void*>(target + simt::kAliasOffset), answer, sizeof answer);
                         if (Observer* observer = launch.machine.observer) observer->written(target, sizeof answer);
                         call.report_load(target, sizeof answer, completes_on);
                         call.complete(completes_on, sizeof answer);
                       });
}

void service::tensor_replace(BlockContext* block, uint32_t warp, uint32_t lane, uint32_t field, uint64_t map,
                             uint32_t index, uint64_t value, uint32_t site) {
  const Call call{run_of(block), warp, lane, site, CALLER};
  call.check(replace_field(*call.run.launch.machine.arena, map, static_cast<simt::TensorField>(field), index, value));
}

void service::wgmma(BlockContext* block, uint32_t warp, uint64_t form, uint64_t a, uint64_t b, uint32_t accumulate,
                    const uint32_t* a_words, uint32_t* d, uint32_t site) {
  BlockRun& run = run_of(block);
  std::string problem = run_wgmma(run, {warp, form, a, b, accumulate != 0, a_words, d});
  if (!problem.empty()) stop(run, Failure::LaunchFailure, std::move(problem), warp, 0, site, CALLER);
}

}  // namespace warpwise::exec
